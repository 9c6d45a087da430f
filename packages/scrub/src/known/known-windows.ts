/**
 * Finds candidate positions of known bodies in a text. Characters outside the alphabet are skipped, and a rolling hash of
 * the last few characters is looked up at every second position. The cost does not depend on the number of bodies.
 */

import { endianness } from 'node:os'

import { chainOf, createWindowTable, insertWindow, sharersOf, type WindowTable } from './window-table.ts'

export interface Alphabet {
  /** By code unit: 0 for skipped characters, otherwise random upper bits with the hash's shift in the lower five. */
  readonly gears: Int32Array
}

/** White space, control characters, and characters that Unicode calls default ignorable. */
const invisible: readonly (readonly [number, number])[] = [
  [0, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
]

/** ASCII letters and digits, case-folded, including their full-width forms. */
export const alphanumeric: Alphabet = alphabetOf((unit) => {
  const plain = plainUnit(unit)
  const folded = plain | 0x20
  return (plain >= 0x30 && plain <= 0x39) || (folded >= 0x61 && folded <= 0x7a) ? folded : 0
})

/** All visible characters: for values of punctuation or non-Latin letters. */
export const visible: Alphabet = alphabetOf((unit) =>
  invisible.some(([first, last]) => unit >= first && unit <= last) ? 0 : plainUnit(unit),
)

/** Number of characters covered by one hash. */
export const windowLength = 7

/** Windows are stored in pairs, because only every second position of a text is looked up. */
export const minBodyLength = windowLength + 1

/**
 * A window of the body `id` that may occur in the text: its offset in the body, the position of its last character, and
 * that character's ordinal among the characters of the alphabet, whose origin is arbitrary but differs for every text.
 */
type Report = (id: number, offset: number, last: number, ordinal: number) => void

export interface WindowIndex {
  /**
   * Stores enough windows that every part of `minLength` characters contains a pair. Bodies have at least
   * `minBodyLength` characters. Throws if the body cannot be told apart from too many others.
   */
  add(id: number, body: string, minLength: number): void
  scan(text: string, report: Report): void
}

/** The ASCII character for a full-width form; other code units unchanged. */
export function plainUnit(unit: number): number {
  return unit >= 0xff01 && unit <= 0xff5e ? unit - 0xfee0 : unit
}

/** The text reduced to characters of the alphabet. */
export function skeletonOf(text: string, { gears }: Alphabet): string {
  if (gears === alphanumeric.gears && !/[^ -~\s]/.test(text)) return text.replace(/[^A-Za-z0-9]+/g, '')
  const kept: string[] = []
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (gears[unit] !== 0) kept.push(String.fromCharCode(plainUnit(unit)))
  }
  return kept.join('')
}

/** A window shared by this many bodies is avoided for others: what they have in common is found through these. */
const minCommonSharers = 4
/** Maximum number of bodies without a distinct window: more would slow down the scan. */
const maxSharers = 512

/** What the constant lower bits of the gears add up to, so that the first windows of a scan hash like all others. */
const emptyHash = 0x44444444

/** Longer than any body. */
const farApart = 256
/** Small enough for the L1 cache. */
const chunkLength = 1 << 12
const units = new Uint16Array(chunkLength + 1)
const unitBytes = Buffer.from(units.buffer)

/** The stored windows, and the rolling hash and position of the current scan. */
interface IndexState {
  readonly gears: Int32Array
  readonly table: WindowTable
  hash: number
  /** Number of characters of the alphabet up to `countedTo`, plus the origin of this text. */
  ordinal: number
  countedTo: number
}

export function createWindowIndex({ gears }: Alphabet): WindowIndex {
  const index: IndexState = { gears, table: createWindowTable(), hash: emptyHash, ordinal: 0, countedTo: -1 }
  return {
    add: (id, body, minLength) => addWindows(index, id, body, minLength),
    scan: (text, report) => scanText(index, text, report),
  }
}

/** Chooses windows of a body that few others share, and stores them in pairs. */
function addWindows({ table, gears }: IndexState, id: number, body: string, minLength: number): void {
  const hashes = hashesOf(body, gears)
  const sharersOfPair = (offset: number): number =>
    Math.max(sharersOf(table, hashes[offset]!, id), sharersOf(table, hashes[offset + 1]!, id))
  const insertPair = (offset: number): void => {
    insertWindow(table, hashes[offset]!, id, offset)
    insertWindow(table, hashes[offset + 1]!, id, offset + 1)
  }
  const lastPair = body.length - minBodyLength
  let isStored = false
  // The last pair of the first `minLength` characters, then the last pair of the next part without it, and so on.
  for (let offset = minLength - minBodyLength; ; offset += minLength - windowLength) {
    const at = Math.min(offset, lastPair)
    if (sharersOfPair(at) < minCommonSharers) {
      insertPair(at)
      isStored = true
    }
    if (at >= body.length - minLength) break
  }
  if (isStored) return
  let [best, minSharers] = [0, Infinity]
  for (let offset = 0; offset <= lastPair && minSharers >= minCommonSharers; offset++) {
    const sharing = sharersOfPair(offset)
    if (sharing < minSharers) [best, minSharers] = [offset, sharing]
  }
  if (minSharers >= maxSharers) throw new Error('too many values that look alike')
  insertPair(best)
}

function scanText(index: IndexState, text: string, report: Report): void {
  index.hash = emptyHash
  index.ordinal += farApart
  index.countedTo = -1
  for (let from = 0; from < text.length; from += chunkLength) {
    const length = Math.min(chunkLength, text.length - from)
    unitBytes.write(text.slice(from, from + length), 0, 'utf16le')
    if (endianness() === 'BE') unitBytes.swap16()
    units[length] = 0
    for (let i = nextHit(index, 0, length); i < length; i = nextHit(index, i + 2, length))
      reportMatches(index, text, from + i + 1, report)
  }
}

/** Reads until the filter contains the hash. A short function of its own, so that the JIT optimises it early. */
function nextHit(index: IndexState, start: number, length: number): number {
  const { gears } = index
  const { filter, filterShift } = index.table
  let rolling = index.hash
  let i = start
  for (; i < length; i += 2) {
    const first = gears[units[i]!]!
    rolling = ((rolling << first) + first) | 0
    const second = gears[units[i + 1]!]!
    rolling = ((rolling << second) + second) | 0
    if (((filter[rolling >>> filterShift]! >>> ((rolling >>> 5) & 7)) & 1) !== 0) break
  }
  index.hash = rolling
  return i
}

function reportMatches(index: IndexState, text: string, until: number, report: Report): void {
  const { table, gears, hash } = index
  const { hashes, ids, offsets, next } = table
  let last = -1
  for (let entry = chainOf(table, hash); entry >= 0; entry = next[entry]! - 1) {
    if (hashes[entry] !== hash) continue
    if (last < 0) {
      for (last = until; last > 0 && !isInAlphabet(gears, text, last);) last--
      countTo(index, text, last)
    }
    report(ids[entry]!, offsets[entry]!, last, index.ordinal)
  }
}

/** Windows far apart belong to different occurrences, so the characters between them need not be counted. */
function countTo(index: IndexState, text: string, last: number): void {
  const { gears, countedTo } = index
  if (last - countedTo > farApart) index.ordinal += last - countedTo + farApart
  else for (let at = countedTo + 1; at <= last; at++) if (isInAlphabet(gears, text, at)) index.ordinal++
  index.countedTo = last
}

/** False past the end of the text. */
function isInAlphabet(gears: Int32Array, text: string, at: number): boolean {
  return (gears[text.charCodeAt(at)] ?? 0) !== 0
}

/** Hashes of all windows in order. The array is reused by the next call. */
function hashesOf(body: string, gears: Int32Array): Int32Array {
  if (body.length > bodyHashes.length) bodyHashes = new Int32Array(2 * body.length)
  let hash = emptyHash
  for (let i = 0; i < body.length; i++) {
    const gear = gears[body.charCodeAt(i)]!
    hash = ((hash << gear) + gear) | 0
    if (i >= windowLength - 1) bodyHashes[i - windowLength + 1] = hash
  }
  return bodyHashes
}

let bodyHashes = new Int32Array(256)

/** Each gear shifts the hash by four bits, so that a character no longer affects it after seven more. */
function alphabetOf(symbolOf: (unit: number) => number): Alphabet {
  let cached: Int32Array | undefined
  return {
    // Created on first use: a client waits for the server to start, and most servers have no known values yet.
    get gears() {
      return (cached ??= gearsOf(symbolOf))
    },
  }
}

function gearsOf(symbolOf: (unit: number) => number): Int32Array {
  const gears = new Int32Array(1 << 16)
  for (let unit = 0; unit < gears.length; unit++) {
    const symbol = symbolOf(unit)
    if (symbol !== 0) gears[unit] = (mix(symbol) & ~31) | 4
  }
  return gears
}

function mix(symbol: number): number {
  let mixed = Math.imul(symbol + 0x7f4a7c15, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
