/** Reads a zip archive by its directory, strictly: where the directory and the entries disagree, it is refused. */

import { crc32, inflateRawSync } from 'node:zlib'

import { refused, shown } from './problems.ts'
import type { Tree } from './tree.ts'

const endLength = 22
const maxCommentLength = 0xffff
const entryMark = 0x0201_4b50
const localMark = 0x0403_4b50
const endMark = 0x0605_4b50
const broken = 'the archive is cut off or broken'

const stored = 0
const deflated = 8
/** Bits of an entry: encrypted in one of three ways; sizes stand behind the data; names are UTF-8. */
const encryptedBits = 0x2041
const sizesBehind = 0x0008
const utf8Names = 0x0800

const kindBits = 0o170000
const fileKind = 0o100000
const folderKind = 0o040000

interface Entry {
  readonly path: string
  readonly rawName: Buffer
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  /** Of its local header. */
  readonly offset: number
  /** Kind and permissions as Unix has them; 0 where the archive does not say. */
  readonly mode: number
}

/** Throws ARCHIVE_REFUSED. */
export function unpackZip(bytes: Buffer, tree: Tree): void {
  const entries = readDirectory(bytes)
  const pieces = entries.map((entry) => findData(bytes, entry))
  refuseOverlaps(pieces)
  // Every promise is looked at before the first byte is unpacked.
  const admitted = pieces.map(({ entry, data }) => ({ entry, data, put: tree.admit(kindOf(entry)) }))
  for (const { entry, data, put } of admitted) put(unpack(entry, data))
}

function kindOf({ path, size, mode }: Entry): Parameters<Tree['admit']>[0] {
  const kind = path.endsWith('/') ? 'folder' : 'file'
  const bits = mode & kindBits
  if (bits !== 0 && bits !== (kind === 'folder' ? folderKind : fileKind))
    throw refused(`${shown(path)} is ${bits === 0o120000 ? 'a link' : 'no file and no folder'}`)
  if (kind === 'folder' && size > 0) throw refused(broken)
  return { path, kind, size, mode: mode & ~kindBits }
}

function readDirectory(bytes: Buffer): Entry[] {
  const end = findEnd(bytes)
  const [disk, directoryDisk, here, count] = [4, 6, 8, 10].map((at) => bytes.readUInt16LE(end + at))
  const size = bytes.readUInt32LE(end + 12)
  const offset = bytes.readUInt32LE(end + 16)
  if (count === 0xffff || size === 0xffff_ffff || offset === 0xffff_ffff)
    throw refused('it is a zip64 archive, which no tool needs')
  // Something in front of the archive or in its middle is read differently by different programs.
  if (disk !== 0 || directoryDisk !== 0 || here !== count || offset + size !== end) throw refused(broken)
  const entries: Entry[] = []
  let at = offset
  while (at < end) {
    if (end - at < 46 || bytes.readUInt32LE(at) !== entryMark) throw refused(broken)
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const next = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    if (next > end) throw refused(broken)
    entries.push(readEntry(bytes, at, nameEnd))
    at = next
  }
  if (entries.length !== count) throw refused(broken)
  return entries
}

function readEntry(bytes: Buffer, at: number, nameEnd: number): Entry {
  const rawName = bytes.subarray(at + 46, nameEnd)
  const flags = bytes.readUInt16LE(at + 8)
  const [crc = 0, packedSize = 0, size = 0] = [16, 20, 24].map((step) => bytes.readUInt32LE(at + step))
  const offset = bytes.readUInt32LE(at + 42)
  if ([packedSize, size, offset].includes(0xffff_ffff))
    throw refused('it is a zip64 archive, which no tool needs')
  const isUnix = bytes[at + 5] === 3
  return {
    path: nameOf(rawName, flags),
    rawName,
    flags,
    method: bytes.readUInt16LE(at + 10),
    crc,
    packedSize,
    size,
    offset,
    mode: isUnix ? bytes.readUInt32LE(at + 38) >>> 16 : 0,
  }
}

/** Without the flag a name may be in any of the old alphabets: only what is the same in all of them is read. */
function nameOf(bytes: Buffer, flags: number): string {
  if ((flags & utf8Names) === 0 && bytes.some((byte) => byte > 0x7e)) throw refused('a name is not UTF-8')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused('a name is not UTF-8')
  }
}

/** The end says how long its comment is, and must be right about it. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endLength - maxCommentLength)
  for (let at = bytes.length - endLength; at >= first; at--) {
    if (bytes.readUInt32LE(at) === endMark && at + endLength + bytes.readUInt16LE(at + 20) === bytes.length)
      return at
  }
  throw refused(broken)
}

interface Piece {
  readonly entry: Entry
  readonly start: number
  readonly end: number
  readonly data: Buffer
}

function findData(bytes: Buffer, entry: Entry): Piece {
  const { offset, rawName, packedSize, size } = entry
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== localMark) throw refused(broken)
  const flags = bytes.readUInt16LE(offset + 6)
  const nameEnd = offset + 30 + bytes.readUInt16LE(offset + 26)
  const start = nameEnd + bytes.readUInt16LE(offset + 28)
  const end = start + packedSize
  const isSame =
    flags === entry.flags &&
    bytes.readUInt16LE(offset + 8) === entry.method &&
    rawName.equals(bytes.subarray(offset + 30, nameEnd)) &&
    ((flags & sizesBehind) !== 0 ||
      (bytes.readUInt32LE(offset + 18) === packedSize && bytes.readUInt32LE(offset + 22) === size))
  if (!isSame || end > bytes.length) throw refused(broken)
  return { entry, start: offset, end, data: bytes.subarray(start, end) }
}

/** One piece of data that several entries share is how a small archive holds more than any disk. */
function refuseOverlaps(pieces: readonly Piece[]): void {
  const sorted = pieces.toSorted((one, other) => one.start - other.start)
  for (const [index, { start }] of sorted.entries()) {
    if (index > 0 && start < sorted[index - 1]!.end) throw refused('its entries overlap')
  }
}

function unpack({ path, flags, method, size, crc }: Entry, data: Buffer): Buffer {
  if ((flags & encryptedBits) !== 0) throw refused(`${shown(path)} is encrypted`)
  if (method !== stored && method !== deflated)
    throw refused(`${shown(path)} is packed in a way that is not read`)
  const content = method === stored ? Buffer.from(data) : inflate(data, size)
  if (content.length !== size || crc32(content) !== crc) throw refused(`${shown(path)} is broken`)
  return content
}

/** Stops as soon as there is more than was promised. */
function inflate(data: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw refused('its compressed data is broken, or holds more than it says')
  }
}
