/** The central directory of a zip archive. */

import type { OpenFile } from '../files/open-file.ts'
import { ArchiveError, corruptArchive, decodePath, type ArchivePolicy } from './archive-entry.ts'

export type ZipFile = Pick<OpenFile, 'size' | 'read' | 'chunks'>

export interface DirectoryEntry {
  readonly path: string
  readonly rawName: Buffer
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressedSize: number
  readonly size: number
  /** Of the local header in the file. */
  readonly offset: number
  /** Type and permissions as on Unix; 0 if the archive has none. */
  readonly mode: number
}

const entrySignature = 0x0201_4b50
const entryLength = 46
const endSignature = 0x0605_4b50
const endLength = 22
const zip64LocatorSignature = 0x0706_4b50
const zip64EndSignature = 0x0606_4b50
const maxCommentLength = 0xffff
/** The directory of as many entries as a reader admits is smaller. */
const maxDirectoryBytes = 16 * 1_048_576
/** All ones: the value is in a zip64 field. */
const inZip64Field16 = 0xffff
const inZip64Field32 = 0xffff_ffff

const utf8NameFlag = 0x0800
const madeOnUnix = 3

/** Throws ArchiveError, strict before the first entry. */
export function* readDirectory(file: ZipFile, policy: ArchivePolicy): Generator<DirectoryEntry> {
  const end = findEnd(file, policy)
  const entries = readEntries(file, end, policy)
  if (policy === 'lenient') return yield* entries
  const all = [...entries]
  if (all.length !== end.count) throw corruptArchive()
  yield* all
}

interface DirectoryEnd {
  readonly count: number
  readonly size: number
  readonly offset: number
  /** To be added to every offset: the archive may follow other data, which its offsets ignore. */
  readonly shift: number
}

function* readEntries(
  file: ZipFile,
  { size, offset, shift }: DirectoryEnd,
  policy: ArchivePolicy,
): Generator<DirectoryEntry> {
  const bytes = file.read(offset, Math.min(size, maxDirectoryBytes))
  let at = 0
  while (at + entryLength <= bytes.length) {
    if (bytes.readUInt32LE(at) !== entrySignature) throw corruptDirectory()
    const nameEnd = at + entryLength + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    if (extraEnd > bytes.length) break
    yield readEntry(bytes.subarray(at, extraEnd), nameEnd - at, shift, policy)
    at = extraEnd + bytes.readUInt16LE(at + 32)
  }
  if (policy === 'strict' ? at !== size : at < size) throw corruptDirectory()
}

function corruptDirectory(): ArchiveError {
  return new ArchiveError('its directory is corrupt')
}

function missingDirectory(): ArchiveError {
  return new ArchiveError('its directory is missing')
}

function refusedZip64(): ArchiveError {
  return new ArchiveError('it is a zip64 archive, which is not supported')
}

function readEntry(bytes: Buffer, nameEnd: number, shift: number, policy: ArchivePolicy): DirectoryEntry {
  const rawName = bytes.subarray(entryLength, nameEnd)
  const flags = bytes.readUInt16LE(8)
  const isUnix = bytes[5] === madeOnUnix
  return {
    path: readName(rawName, flags, policy),
    rawName,
    flags,
    method: bytes.readUInt16LE(10),
    crc: bytes.readUInt32LE(16),
    mode: isUnix ? bytes.readUInt32LE(38) >>> 16 : 0,
    ...readSizes(bytes, nameEnd, shift, policy),
  }
}

/** Without the flag the encoding of a name is unknown: strict accepts only what is the same in all of them. */
function readName(bytes: Buffer, flags: number, policy: ArchivePolicy): string {
  const isAmbiguous = (flags & utf8NameFlag) === 0 && bytes.some((byte) => byte > 0x7e)
  if (policy === 'strict' && isAmbiguous) throw new ArchiveError('a name is not UTF-8')
  return decodePath(bytes, policy)
}

type EntrySizes = Pick<DirectoryEntry, 'size' | 'compressedSize' | 'offset'>

function readSizes(bytes: Buffer, nameEnd: number, shift: number, policy: ArchivePolicy): EntrySizes {
  const declared = {
    size: bytes.readUInt32LE(24),
    compressedSize: bytes.readUInt32LE(20),
    offset: bytes.readUInt32LE(42),
  }
  const isZip64 = Object.values(declared).includes(inZip64Field32)
  if (isZip64 && policy === 'strict') throw refusedZip64()
  const sizes = isZip64 ? readZip64Sizes(bytes.subarray(nameEnd), declared) : declared
  return { ...sizes, offset: sizes.offset + shift }
}

function readZip64Sizes(extra: Buffer, declared: EntrySizes): EntrySizes {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let next = at + 4
    const take = (value: number): number => {
      if (value !== inZip64Field32 || next + 8 > extra.length) return value
      next += 8
      return toNumber(extra.readBigUInt64LE(next - 8))
    }
    // The field contains only the missing values, in this order.
    const size = take(declared.size)
    const compressedSize = take(declared.compressedSize)
    return { size, compressedSize, offset: take(declared.offset) }
  }
  return declared
}

function findEnd(file: ZipFile, policy: ArchivePolicy): DirectoryEnd {
  const tailStart = Math.max(0, file.size - endLength - maxCommentLength)
  const tail = file.read(tailStart, file.size - tailStart)
  const found = findEndRecord(tail, policy)
  const end = tailStart + found
  const record = tail.subarray(found)
  const count = record.readUInt16LE(10)
  const size = record.readUInt32LE(12)
  const offset = record.readUInt32LE(16)
  const isZip64 = count === inZip64Field16 || size === inZip64Field32 || offset === inZip64Field32
  if (policy === 'strict') {
    if (isZip64) throw refusedZip64()
    const [disk, directoryDisk, countHere] = [4, 6, 8].map((at) => record.readUInt16LE(at))
    // Programs differ in how they read data before the archive or in its middle.
    if (disk !== 0 || directoryDisk !== 0 || countHere !== count || offset + size !== end)
      throw corruptDirectory()
  }
  const atEnd = Math.max(0, end - size)
  if (!isZip64) return { count, size, offset: atEnd, shift: atEnd - offset }
  return readZip64End(file, end) ?? { count, size, offset: atEnd, shift: 0 }
}

/** Undefined if there is no zip64 locator before the end record. */
function readZip64End(file: ZipFile, end: number): DirectoryEnd | undefined {
  const locator = file.read(Math.max(0, end - 20), 20)
  if (locator.length < 20 || locator.readUInt32LE(0) !== zip64LocatorSignature) return undefined
  const record = file.read(toNumber(locator.readBigUInt64LE(8)), 56)
  if (record.length < 56 || record.readUInt32LE(0) !== zip64EndSignature) throw missingDirectory()
  const [count = 0, size = 0, offset = 0] = [32, 40, 48].map((at) => toNumber(record.readBigUInt64LE(at)))
  return { count, size, offset, shift: 0 }
}

/** In strict, the comment must have exactly the length that the record declares. */
function findEndRecord(tail: Buffer, policy: ArchivePolicy): number {
  for (let at = tail.length - endLength; at >= 0; at--) {
    if (tail[at] !== 0x50 || tail.readUInt32LE(at) !== endSignature) continue
    const left = tail.length - at - endLength - tail.readUInt16LE(at + 20)
    if (policy === 'strict' ? left === 0 : left >= 0) return at
  }
  throw missingDirectory()
}

function toNumber(value: bigint): number {
  return Number(value < BigInt(Number.MAX_SAFE_INTEGER) ? value : BigInt(Number.MAX_SAFE_INTEGER))
}
