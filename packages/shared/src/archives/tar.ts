/** Reads tar archives as a stream: ustar, pax and GNU long names. */

import {
  ArchiveError,
  corruptArchive,
  decodePath,
  shownPath,
  type ArchiveEntry,
  type ArchivePolicy,
} from './archive-entry.ts'
import { createChunkReader, type ChunkReader, type Chunks } from './chunks.ts'

const blockLength = 512
/** The longest record that describes the next entry: its name, or pax attributes. */
const maxExtensionLength = 65_536

/** What strict says about the types it refuses. */
const refusedTypes: Readonly<Record<string, string>> = {
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

/** What records before an entry say about it. */
interface Extension {
  readonly path?: string
  readonly size?: number
}

/** Does not limit the number of bytes; the caller must. Lenient yields files only. Throws ArchiveError. */
export async function* readTar(chunks: Chunks, policy: ArchivePolicy): AsyncGenerator<ArchiveEntry> {
  const reader = createChunkReader(chunks)
  let extension: Extension = {}
  for (;;) {
    const block = await readHeaderBlock(reader, policy)
    if (block === undefined) break
    const header = parseHeader(block, policy)
    if (isExtension(header.type, policy)) {
      Object.assign(extension, await readExtension(reader, header, policy))
      continue
    }
    const { path = header.path, size = header.size } = extension
    extension = {}
    const kind = entryKind(header.type, path, policy)
    if (kind === undefined) {
      await reader.skip(header.size + paddingOf(header.size))
      continue
    }
    if (kind === 'folder' && size > 0) throw corruptArchive()
    if (header.type === 'S') await skipSparseMap(reader, block)
    const left = { bytes: size }
    yield { path, kind, size, mode: header.mode, chunks: readContent(reader, left) }
    await reader.skip(left.bytes + paddingOf(size))
  }
  if (policy === 'strict' && Object.keys(extension).length > 0) throw corruptArchive()
}

/** Undefined at the end of the archive. */
async function readHeaderBlock(reader: ChunkReader, policy: ArchivePolicy): Promise<Buffer | undefined> {
  // Two blank blocks end an archive; a single one is skipped by some programs and ends it for others.
  for (let blanks = 0; blanks < 2; blanks++) {
    const block = await reader.read(blockLength)
    if (policy === 'strict' && block.length < blockLength) throw corruptArchive()
    if (!isBlank(block)) return block
    if (policy === 'strict') return requireBlankRest(reader)
  }
  return undefined
}

/** Some programs read on after the end, and find another archive. */
async function requireBlankRest(reader: ChunkReader): Promise<undefined> {
  for (;;) {
    const bytes = await reader.next(Infinity)
    if (bytes.length === 0) return undefined
    if (!isBlank(bytes)) throw new ArchiveError('it has data after its end')
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

function paddingOf(size: number): number {
  return (blockLength - (size % blockLength)) % blockLength
}

function entryKind(type: string, path: string, policy: ArchivePolicy): ArchiveEntry['kind'] | undefined {
  if (type === '0' || type === '\0') return 'file'
  // Contiguous and sparse files.
  if (policy === 'lenient') return type === '7' || type === 'S' ? 'file' : undefined
  if (type === '5') return 'folder'
  throw new ArchiveError(`${shownPath(path)} ${refusedTypes[type] ?? 'is neither a file nor a folder'}`)
}

function isExtension(type: string, policy: ArchivePolicy): boolean {
  return type === 'x' || type === 'L' || (type === 'g' && policy === 'strict')
}

async function readExtension(
  reader: ChunkReader,
  { type, size }: Header,
  policy: ArchivePolicy,
): Promise<Extension> {
  if (policy === 'strict' && size > maxExtensionLength) throw new ArchiveError('a name is too long')
  const text = await reader.read(Math.min(size, maxExtensionLength))
  if (policy === 'strict' && text.length < size) throw corruptArchive()
  await reader.skip(size - text.length + paddingOf(size))
  if (type === 'L') {
    const path = decodePath(text, policy)
    return { path: policy === 'strict' ? path.replace(/(?<!\0)\0+$/, '') : untilNul(path) }
  }
  const found = parsePax(text, policy)
  if (type === 'g' && Object.keys(found).length > 0)
    throw new ArchiveError('one name or size is given for every file')
  return found
}

/** `27 path=some/long/name` and the like; the number is the length of the record. */
function parsePax(text: Buffer, policy: ArchivePolicy): Extension {
  const isStrict = policy === 'strict'
  const found: { path?: string; size?: number } = {}
  for (let at = 0; at < text.length;) {
    const [lead = '', digits = ''] = /^(\d{1,6}) /.exec(text.subarray(at, at + 8).toString('latin1')) ?? []
    const length = Number(digits)
    const isWhole = length > lead.length && at + length <= text.length && text[at + length - 1] === 0x0a
    if (isStrict && !isWhole) throw corruptArchive()
    if (length <= digits.length) break
    const record = decodePath(text.subarray(at + lead.length, at + length - 1), policy)
    const split = record.indexOf('=')
    if (isStrict && split === -1) throw corruptArchive()
    const [key, value] = [record.slice(0, Math.max(0, split)), record.slice(split + 1)]
    if (key === 'path') found.path = value
    else if (key === 'size') {
      if (/^\d{1,15}$/.test(value)) found.size = Number(value)
      else if (isStrict) throw corruptArchive()
    } else if (isStrict && key === 'linkpath') throw new ArchiveError('it contains a link')
    else if (isStrict && key.startsWith('GNU.sparse.')) throw new ArchiveError('it contains a sparse file')
    at += length
  }
  return found
}

/** Recognises a header by its checksum, which every tar format has. */
export function isTarHeader(bytes: Uint8Array, policy: ArchivePolicy = 'lenient'): boolean {
  if (bytes.length < blockLength) return false
  let sum = 0
  // The checksum is computed as if its own field were spaces.
  for (let at = 0; at < blockLength; at++) sum += at >= 148 && at < 156 ? 32 : bytes[at]!
  return sum > 8 * 32 && sum === parseNumber(bytes.subarray(148, 156), policy)
}

function parseHeader(bytes: Buffer, policy: ArchivePolicy): Header {
  if (!isTarHeader(bytes, policy)) throw corruptArchive()
  const text = (from: number, to: number): string => {
    const field = bytes.subarray(from, to)
    const end = field.indexOf(0)
    return decodePath(end === -1 ? field : field.subarray(0, end), policy)
  }
  const name = text(0, 100)
  const prefix = bytes.subarray(257, 263).toString('latin1') === 'ustar\0' ? text(345, 500) : ''
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    size: parseNumber(bytes.subarray(124, 136), policy),
    mode: parseNumber(bytes.subarray(100, 108), policy),
    type: String.fromCharCode(bytes[156]!),
  }
}

function untilNul(text: string): string {
  const end = text.indexOf('\0')
  return end === -1 ? text : text.slice(0, end)
}

/** Octal digits, or big-endian bytes after a first byte with its high bit set. */
function parseNumber(bytes: Uint8Array, policy: ArchivePolicy): number {
  const first = bytes[0]!
  if (first === 0x80 || (policy === 'lenient' && first > 0x80)) {
    return bytes
      .subarray(1)
      .reduce((value, byte) => Math.min(Number.MAX_SAFE_INTEGER, value * 256 + byte), first & 0x7f)
  }
  const text = Buffer.from(bytes).toString('latin1')
  if (policy === 'strict' && !/^ *(?! )[0-7]*[\0 ]*$/.test(text)) throw corruptArchive()
  return Number.parseInt(/^ *([0-7]+)/.exec(text)?.[1] ?? '0', 8)
}

async function skipSparseMap(reader: ChunkReader, header: Buffer): Promise<void> {
  for (let hasMore = header[482] !== 0; hasMore;) {
    const map = await reader.read(blockLength)
    hasMore = map.length === blockLength && map[504] !== 0
  }
}

/** The next `left.bytes` bytes; counts down as they are read. */
async function* readContent(reader: ChunkReader, left: { bytes: number }): AsyncGenerator<Uint8Array> {
  while (left.bytes > 0) {
    const part = await reader.next(left.bytes)
    if (part.length === 0) throw corruptArchive()
    left.bytes -= part.length
    yield part
  }
}
