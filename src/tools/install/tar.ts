/** Reads a tar archive (ustar, pax, GNU long names) strictly: what programs read differently is refused. */

import { refused, shown } from './problems.ts'
import type { Tree } from './tree.ts'

const block = 512
/** A name, or what pax says of the next entry. */
const maxExtensionLength = 65_536
const cutOff = 'the archive is cut off or broken'

/** Files and folders; anything else is refused by what it is. */
const refusedKinds: Readonly<Record<string, string>> = {
  1: 'is a link',
  2: 'is a link',
  K: 'is a link',
  3: 'is a device',
  4: 'is a device',
  6: 'is a pipe',
}

interface Header {
  readonly path: string
  readonly size: number
  readonly mode: number
  readonly type: string
}

/** What was said in front of an entry about it. */
interface Ahead {
  path?: string
  size?: number
}

/** Throws ARCHIVE_REFUSED. */
export function unpackTar(bytes: Buffer, tree: Tree): void {
  let at = 0
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw refused(cutOff)
    const taken = bytes.subarray(at, at + length)
    at += Math.min(bytes.length - at, Math.ceil(length / block) * block)
    return taken
  }
  let ahead: Ahead = {}
  for (;;) {
    const raw = take(block)
    if (isBlank(raw)) {
      // Some programs would read on there, and find another archive.
      if (!isBlank(bytes.subarray(at))) throw refused('something stands behind the end of the archive')
      if (ahead.path !== undefined || ahead.size !== undefined) throw refused(cutOff)
      return
    }
    const header = readHeader(raw)
    const { type, mode } = header
    if (type === 'x' || type === 'g' || type === 'L') {
      if (header.size > maxExtensionLength) throw refused('a name is too long')
      const text = take(header.size)
      if (type === 'L') ahead.path = decoded(text).replace(/(?<!\0)\0+$/, '')
      else if (type === 'x') Object.assign(ahead, readPax(text))
      else if (Object.keys(readPax(text)).length > 0) throw refused('one name is given for every file')
      continue
    }
    const path = ahead.path ?? header.path
    const kind = type === '0' || type === '\0' ? 'file' : type === '5' ? 'folder' : undefined
    if (kind === undefined)
      throw refused(`${shown(path)} ${refusedKinds[type] ?? 'is no file and no folder'}`)
    const size = ahead.size ?? header.size
    if (kind === 'folder' && size > 0) throw refused(cutOff)
    ahead = {}
    const put = tree.admit({ path, kind, size, mode })
    put(Buffer.from(take(size)))
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

function readHeader(bytes: Buffer): Header {
  const field = (from: number, to: number): Buffer => {
    const part = bytes.subarray(from, to)
    const end = part.indexOf(0)
    return end === -1 ? part : part.subarray(0, end)
  }
  // The place of the checksum counts as spaces.
  const sum = bytes.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (sum !== readNumber(bytes.subarray(148, 156))) throw refused(cutOff)
  const name = decoded(field(0, 100))
  const prefix = bytes.subarray(257, 263).toString('latin1') === 'ustar\0' ? decoded(field(345, 500)) : ''
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    size: readNumber(bytes.subarray(124, 136)),
    mode: readNumber(bytes.subarray(100, 108)),
    type: String.fromCharCode(bytes[156]!),
  }
}

/** Octal digits, or for large numbers the bytes themselves behind a first one with its highest bit set. */
function readNumber(bytes: Buffer): number {
  if (bytes[0] === 0x80)
    return bytes.subarray(1).reduce((value, byte) => Math.min(Number.MAX_SAFE_INTEGER, value * 256 + byte), 0)
  const [, digits] = /^ *(?! )([0-7]*)[\0 ]*$/.exec(bytes.toString('latin1')) ?? []
  if (digits === undefined) throw refused(cutOff)
  return digits === '' ? 0 : Number.parseInt(digits, 8)
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused('a name is not UTF-8')
  }
}

/** `27 path=some/long/name` and the like, each as long as it says. */
function readPax(text: Buffer): Ahead {
  const found: Ahead = {}
  for (let at = 0; at < text.length;) {
    const [lead = '', digits = ''] = /^(\d{1,6}) /.exec(text.subarray(at, at + 7).toString('latin1')) ?? []
    const length = Number(digits)
    if (length <= lead.length || at + length > text.length || text[at + length - 1] !== 0x0a)
      throw refused(cutOff)
    const record = decoded(text.subarray(at + lead.length, at + length - 1))
    const split = record.indexOf('=')
    if (split === -1) throw refused(cutOff)
    const [key, value] = [record.slice(0, split), record.slice(split + 1)]
    if (key === 'path') found.path = value
    else if (key === 'size') {
      if (!/^\d{1,15}$/.test(value)) throw refused(cutOff)
      found.size = Number(value)
    } else if (key === 'linkpath') throw refused('there is a link in it')
    else if (key.startsWith('GNU.sparse.')) throw refused('it holds a file with gaps')
    at += length
  }
  return found
}
