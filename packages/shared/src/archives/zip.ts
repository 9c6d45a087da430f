/** Reads zip archives by their directory. Formats such as jar, whl and docx are zip archives too. */

import { crc32 } from 'node:zlib'

import {
  ArchiveError,
  corruptArchive,
  shownPath,
  type ArchiveEntry,
  type ArchivePolicy,
} from './archive-entry.ts'
import { inflateChunks } from './inflate.ts'
import { readDirectory, type DirectoryEntry, type ZipFile } from './zip-directory.ts'

const localSignature = 0x0403_4b50
const localLength = 30

const stored = 0
const deflated = 8

const encryptedFlag = 0x0001
/** Encryption of any kind: traditional, strong, masked headers. */
const encryptionFlags = 0x2041
const sizesAfterDataFlag = 0x0008

const typeBits = 0o170000
const regularFile = 0o100000
const directory = 0o040000
const symbolicLink = 0o120000

/** Strict checks every entry before it yields the first. Throws ArchiveError. */
export function* readZip(file: ZipFile, policy: ArchivePolicy): Generator<ArchiveEntry> {
  const entries = readDirectory(file, policy)
  if (policy === 'lenient') {
    for (const entry of entries) yield lenientEntry(file, entry)
    return
  }
  const parts = [...entries].map((entry) => ({ entry, data: locateStrictly(file, entry) }))
  refuseOverlaps(parts.map(({ data }) => data))
  yield* parts.map(({ entry, data }) => strictEntry(file, entry, data))
}

function lenientEntry(file: ZipFile, entry: DirectoryEntry): ArchiveEntry {
  const { path, size, method, flags } = entry
  const isReadable = method === stored || method === deflated
  const problem =
    (flags & encryptedFlag) !== 0
      ? 'is encrypted'
      : isReadable
        ? undefined
        : `uses an unsupported compression method (${method})`
  return {
    path,
    kind: path.endsWith('/') ? 'folder' : 'file',
    size,
    mode: entry.mode & ~typeBits,
    chunks: readLeniently(file, entry),
    ...(problem !== undefined && { problem }),
  }
}

function strictEntry(file: ZipFile, entry: DirectoryEntry, data: EntryData): ArchiveEntry {
  const { path, size, mode, flags, method } = entry
  const kind = path.endsWith('/') ? 'folder' : 'file'
  const type = mode & typeBits
  const refuse = (why: string): never => {
    throw new ArchiveError(`${shownPath(path)} ${why}`)
  }
  if (type !== 0 && type !== (kind === 'folder' ? directory : regularFile))
    return refuse(type === symbolicLink ? 'is a link' : 'is neither a file nor a folder')
  if (kind === 'folder' && size > 0) throw corruptArchive()
  if ((flags & encryptionFlags) !== 0) return refuse('is encrypted')
  if (method !== stored && method !== deflated)
    return refuse(`uses an unsupported compression method (${method})`)
  return { path, kind, size, mode: mode & ~typeBits, chunks: readStrictly(file, entry, data) }
}

interface EntryData {
  /** Where the local header starts. */
  readonly header: number
  readonly start: number
  readonly end: number
}

function locate(file: ZipFile, { offset, compressedSize }: DirectoryEntry): EntryData & { local: Buffer } {
  const local = file.read(offset, localLength)
  if (local.length < localLength || local.readUInt32LE(0) !== localSignature)
    throw new ArchiveError('an entry is not where its directory says')
  const start = offset + localLength + local.readUInt16LE(26) + local.readUInt16LE(28)
  return { header: offset, start, end: start + compressedSize, local }
}

/** The local header must agree with the directory: programs differ in which of the two they follow. */
function locateStrictly(file: ZipFile, entry: DirectoryEntry): EntryData {
  const { local, ...data } = locate(file, entry)
  const { flags, method, rawName, compressedSize, size, offset } = entry
  const isSame =
    local.readUInt16LE(6) === flags &&
    local.readUInt16LE(8) === method &&
    rawName.equals(file.read(offset + localLength, local.readUInt16LE(26))) &&
    ((flags & sizesAfterDataFlag) !== 0 ||
      (local.readUInt32LE(18) === compressedSize && local.readUInt32LE(22) === size))
  if (!isSame || data.end > file.size) throw corruptArchive()
  return data
}

/** Entries that share data let a small archive expand to more than any disk holds. */
function refuseOverlaps(parts: readonly EntryData[]): void {
  const sorted = parts.toSorted((one, other) => one.header - other.header)
  for (const [index, { header }] of sorted.entries()) {
    if (index > 0 && header < sorted[index - 1]!.end) throw new ArchiveError('its entries overlap')
  }
}

async function* readLeniently(file: ZipFile, entry: DirectoryEntry): AsyncGenerator<Uint8Array> {
  const { start, end } = locate(file, entry)
  yield* decompress(file.chunks(start, end), entry.method)
}

/** Stops as soon as there is more than declared. */
async function* readStrictly(
  file: ZipFile,
  { path, method, size, crc }: DirectoryEntry,
  { start, end }: EntryData,
): AsyncGenerator<Uint8Array> {
  let length = 0
  let checksum = 0
  for await (const chunk of decompress(file.chunks(start, end), method)) {
    length += chunk.length
    if (length > size) throw new ArchiveError(`${shownPath(path)} is larger than declared`)
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (length !== size || checksum !== crc) throw new ArchiveError(`${shownPath(path)} is corrupt`)
}

function decompress(
  chunks: Iterable<Uint8Array>,
  method: number,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return method === stored ? chunks : inflateChunks(chunks, 'deflate')
}
