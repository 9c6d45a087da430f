/** Reads zip archives by their directory: jar, whl, docx and the like are such archives too. */

import { BrokenArchive, withinBounds, type ArchiveBounds, type ArchiveEntry } from './archive-bounds.ts'
import { inflated } from './inflate-stream.ts'
import type { OpenFile } from '@contextd/shared/files/open-file'

/** Entries that are there and cannot be read are named to `skip`. Throws BrokenArchive. */
export async function* streamZip(
  file: OpenFile,
  bounds: ArchiveBounds,
  skip: (name: string, why: string) => void,
): AsyncGenerator<ArchiveEntry> {
  for (const entry of readDirectory(file)) {
    if (entry.name.endsWith('/')) continue
    if (!bounds.admitEntry()) return
    if (entry.encrypted) skip(entry.name, 'is encrypted')
    else if (entry.method !== stored && entry.method !== deflated)
      skip(entry.name, `is compressed by a method that is not read (${entry.method})`)
    else yield { name: entry.name, chunks: withinBounds(contentOf(file, entry), bounds) }
    if (bounds.reached() !== undefined) return
  }
}

const stored = 0
const deflated = 8

interface DirectoryEntry {
  readonly name: string
  readonly method: number
  readonly encrypted: boolean
  readonly compressedSize: number
  /** Of its header in the file. */
  readonly offset: number
}

/** All ones stand for a number that does not fit, and is given elsewhere. */
const elsewhere16 = 0xffff
const elsewhere32 = 0xffff_ffff
const endLength = 22
const maxCommentLength = 0xffff
/** No directory of as many entries as are looked at is larger. */
const maxDirectoryBytes = 16 * 1_048_576

function* readDirectory(file: OpenFile): Generator<DirectoryEntry> {
  const { size, offset, shift } = findDirectory(file)
  const bytes = file.read(offset, Math.min(size, maxDirectoryBytes))
  let at = 0
  while (at + 46 <= bytes.length) {
    if (bytes.readUInt32LE(at) !== 0x0201_4b50) throw new BrokenArchive('its directory is broken')
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    if (extraEnd > bytes.length) break
    const large = readLarge(bytes.subarray(nameEnd, extraEnd), {
      size: bytes.readUInt32LE(at + 24),
      compressedSize: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    })
    yield {
      name: bytes.subarray(at + 46, nameEnd).toString('utf8'),
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      compressedSize: large.compressedSize,
      offset: large.offset + shift,
    }
    at = extraEnd + bytes.readUInt16LE(at + 32)
  }
  if (at < size) throw new BrokenArchive('its directory is broken')
}

/** `shift`: an archive may stand behind something else, and its offsets do not know of it. */
function findDirectory(file: OpenFile): { size: number; offset: number; shift: number } {
  const tailStart = Math.max(0, file.size - endLength - maxCommentLength)
  const tail = file.read(tailStart, file.size - tailStart)
  const found = findEnd(tail)
  if (found === -1) throw new BrokenArchive('its directory is missing')
  const end = tailStart + found
  const count = tail.readUInt16LE(found + 10)
  const size = tail.readUInt32LE(found + 12)
  const offset = tail.readUInt32LE(found + 16)
  if (count !== elsewhere16 && size !== elsewhere32 && offset !== elsewhere32) {
    return { size, offset: Math.max(0, end - size), shift: Math.max(0, end - size) - offset }
  }
  const locator = file.read(Math.max(0, end - 20), 20)
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x0706_4b50)
    return { size, offset: Math.max(0, end - size), shift: 0 }
  const large = file.read(toNumber(locator.readBigUInt64LE(8)), 56)
  if (large.length < 56 || large.readUInt32LE(0) !== 0x0606_4b50)
    throw new BrokenArchive('its directory is missing')
  return { size: toNumber(large.readBigUInt64LE(40)), offset: toNumber(large.readBigUInt64LE(48)), shift: 0 }
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - endLength; at >= 0; at--) {
    const fits = tail[at] === 0x50 && tail.readUInt32LE(at) === 0x0605_4b50
    if (fits && at + endLength + tail.readUInt16LE(at + 20) <= tail.length) return at
  }
  return -1
}

type Sizes = { size: number; compressedSize: number; offset: number }

function readLarge(extra: Buffer, given: Sizes): Sizes {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let next = at + 4
    const take = (value: number): number => {
      if (value !== elsewhere32 || next + 8 > extra.length) return value
      next += 8
      return toNumber(extra.readBigUInt64LE(next - 8))
    }
    // In this order.
    const size = take(given.size)
    const compressedSize = take(given.compressedSize)
    return { size, compressedSize, offset: take(given.offset) }
  }
  return given
}

function toNumber(value: bigint): number {
  return Number(value < BigInt(Number.MAX_SAFE_INTEGER) ? value : BigInt(Number.MAX_SAFE_INTEGER))
}

async function* contentOf(file: OpenFile, entry: DirectoryEntry): AsyncGenerator<Uint8Array> {
  const header = file.read(entry.offset, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== 0x0403_4b50)
    throw new BrokenArchive('an entry is not where its directory says')
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const chunks = file.chunks(start, start + entry.compressedSize)
  yield* entry.method === stored ? chunks : inflated(chunks, 'deflate')
}
