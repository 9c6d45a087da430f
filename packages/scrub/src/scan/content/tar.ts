/** Reads tar archives as they stream by: ustar, GNU and pax. */

import { BrokenArchive, type ArchiveBounds, type ArchiveEntry } from './archive-bounds.ts'
import { iterate, type Chunks } from './chunks.ts'

const block = 512
/** More is no name. */
const maxExtensionLength = 65_536

/** How many bytes come is for whoever gives them to bound. Throws BrokenArchive. */
export async function* streamTar(
  chunks: Chunks,
  bounds: Pick<ArchiveBounds, 'admitEntry'>,
): AsyncGenerator<ArchiveEntry> {
  const source = createSource(chunks)
  let name: string | undefined
  let size: number | undefined
  for (let blanks = 0; blanks < 2;) {
    const bytes = await source.take(block)
    if (bytes.length === 0) return
    if (bytes.every((byte) => byte === 0)) {
      blanks++
      continue
    }
    blanks = 0
    if (!isTarHeader(bytes)) throw new BrokenArchive('it is cut off or broken')
    const header = readHeader(bytes)
    if (header.kind === 'x' || header.kind === 'L') {
      const text = await source.take(Math.min(header.size, maxExtensionLength))
      await source.skip(header.size - text.length + padding(header.size))
      if (header.kind === 'L') name = text.toString('utf8').replace(/\0.*$/s, '')
      else ({ name = name, size = size } = readPax(text))
      continue
    }
    if (header.kind === 'S') await source.skipSparseMap(bytes)
    const length = size ?? header.size
    if (isContent(header.kind)) {
      if (!bounds.admitEntry()) return
      const left = { bytes: length }
      yield { name: name ?? header.name, chunks: source.stream(left) }
      await source.skip(left.bytes + padding(length))
    } else await source.skip(header.size + padding(header.size))
    name = undefined
    size = undefined
  }
}

function isContent(kind: string): boolean {
  return ['0', '\0', '7', 'S'].includes(kind)
}

function padding(size: number): number {
  return (block - (size % block)) % block
}

/** By its checksum, which every kind of tar has. */
export function isTarHeader(bytes: Uint8Array): boolean {
  if (bytes.length < block) return false
  let sum = 0
  // The place of the checksum counts as spaces.
  for (let at = 0; at < block; at++) sum += at >= 148 && at < 156 ? 32 : bytes[at]!
  return sum > 8 * 32 && sum === readNumber(bytes.subarray(148, 156))
}

interface Header {
  readonly name: string
  readonly size: number
  readonly kind: string
}

function readHeader(bytes: Buffer): Header {
  const text = (from: number, to: number): string =>
    bytes.subarray(from, to).toString('utf8').replace(/\0.*$/s, '')
  const prefix = text(257, 263) === 'ustar' ? text(345, 500) : ''
  const name = text(0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: readNumber(bytes.subarray(124, 136)),
    kind: String.fromCharCode(bytes[156]!),
  }
}

/** Octal digits, or for large numbers the bytes themselves behind a first one with its highest bit set. */
function readNumber(bytes: Uint8Array): number {
  if ((bytes[0]! & 0x80) !== 0) {
    return Math.min(
      Number.MAX_SAFE_INTEGER,
      bytes.subarray(1).reduce((value, byte) => value * 256 + byte, bytes[0]! & 0x7f),
    )
  }
  return Number.parseInt(/^ *([0-7]+)/.exec(Buffer.from(bytes).toString('latin1'))?.[1] ?? '0', 8)
}

/** `27 path=some/long/name` and the like, each as long as it says. */
function readPax(text: Buffer): { name?: string; size?: number } {
  const found: { name?: string; size?: number } = {}
  for (let at = 0; at < text.length;) {
    const [, digits = ''] = /^(\d{1,6}) /.exec(text.subarray(at, at + 8).toString('latin1')) ?? []
    const length = Number(digits)
    if (length <= digits.length) break
    const record = text.subarray(at + digits.length + 1, at + length - 1).toString('utf8')
    if (record.startsWith('path=')) found.name = record.slice(5)
    if (/^size=\d{1,15}$/.test(record)) found.size = Number(record.slice(5))
    at += length
  }
  return found
}

interface Source {
  /** Fewer only at the end. */
  take(length: number): Promise<Buffer>
  skip(length: number): Promise<void>
  skipSparseMap(header: Buffer): Promise<void>
  /** The next bytes, as many as `left` says; it goes down as they are read. */
  stream(left: { bytes: number }): AsyncGenerator<Uint8Array>
}

function createSource(chunks: Chunks): Source {
  const iterator = iterate(chunks)
  let held: Uint8Array = new Uint8Array(0)
  /** At most so many of the next bytes; none at the end. */
  const next = async (most: number): Promise<Uint8Array> => {
    while (held.length === 0) {
      const { done, value } = await iterator.next()
      if (done === true) return held
      held = value
    }
    const taken = held.subarray(0, most)
    held = held.subarray(taken.length)
    return taken
  }
  const take = async (length: number): Promise<Buffer> => {
    const parts: Uint8Array[] = []
    for (let left = length; left > 0;) {
      const part = await next(left)
      if (part.length === 0) break
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }
  return {
    take,
    async skip(length) {
      for (let left = length; left > 0;) {
        const part = await next(left)
        if (part.length === 0) return
        left -= part.length
      }
    },
    async skipSparseMap(header) {
      for (let more = header[482] !== 0; more;) {
        const map = await take(block)
        more = map.length === block && map[504] !== 0
      }
    },
    async *stream(left) {
      while (left.bytes > 0) {
        const part = await next(left.bytes)
        if (part.length === 0) throw new BrokenArchive('it is cut off or broken')
        left.bytes -= part.length
        yield part
      }
    },
  }
}
