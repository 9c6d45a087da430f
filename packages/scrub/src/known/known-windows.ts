/**
 * Where known bodies may stand in a text. Only the characters of an alphabet count, what stands between them is passed
 * over; a rolling hash of the last few is looked up at every second place. The cost is the same however many are known.
 */

import { endianness } from 'node:os'

export interface Alphabet {
  /** By code unit: 0 for what is passed over; else bits of its own above, and in the lower five the shift of the hash. */
  readonly gears: Int32Array
}

/** White space, controls, and what Unicode calls ignorable. */
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

/** Letters and digits, the case folded; the full-width ones count as plain. */
export const alphanumeric: Alphabet = alphabetOf((unit) => {
  const plain = plainUnit(unit)
  const folded = plain | 0x20
  return (plain >= 0x30 && plain <= 0x39) || (folded >= 0x61 && folded <= 0x7a) ? folded : 0
})

/** Everything that can be seen: for values of signs and of letters that are not Latin. */
export const visible: Alphabet = alphabetOf((unit) =>
  invisible.some(([first, last]) => unit >= first && unit <= last) ? 0 : plainUnit(unit),
)

/** Characters that one hash is about. */
export const windowLength = 7

/** Windows come in pairs, because only every second place of a text is looked at. */
export const minBodyLength = windowLength + 1

/**
 * A window of the body `id` that may stand in the text: its offset in the body, the place of its last character, and the
 * number of that one among the characters of the alphabet, counted from anywhere but never from the same place twice.
 */
type Report = (id: number, offset: number, last: number, ordinal: number) => void

export interface WindowIndex {
  /**
   * Keeps windows of the body, enough for every stretch of `least` characters to hold a pair; a body has at least
   * `minBodyLength` of them. Throws where nothing tells the body from too many others.
   */
  add(id: number, body: string, least: number): void
  scan(text: string, report: Report): void
}

/** Where a unit of the full-width block stands for an ASCII character, that one. */
export function plainUnit(unit: number): number {
  return unit >= 0xff01 && unit <= 0xff5e ? unit - 0xfee0 : unit
}

/** The characters of the alphabet alone. */
export function skeletonOf(text: string, { gears }: Alphabet): string {
  if (gears === alphanumeric.gears && !/[^ -~\s]/.test(text)) return text.replace(/[^A-Za-z0-9]+/g, '')
  const kept: string[] = []
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (gears[unit] !== 0) kept.push(String.fromCharCode(plainUnit(unit)))
  }
  return kept.join('')
}

/** A window that more bodies share tells nothing: the others find what they have in common. */
const enoughSharers = 4
/** Bodies with nothing but shared windows; more of them would make looking at a text slow. */
const maxSharers = 512

/** The hash before anything was read, so that the constant lower bits of the gears never show. */
const emptyHash = 0x44444444
const smallest = 12
const maxFilterBits = 20

/** More than any body is long. */
const farApart = 256
/** Read at once: as much as the processor keeps closest. */
const pieceLength = 1 << 12
const units = new Uint16Array(pieceLength + 1)
const unitBytes = Buffer.from(units.buffer)

export function createWindowIndex({ gears }: Alphabet): WindowIndex {
  let count = 0
  let hashes = new Int32Array(1 << smallest)
  let ids = new Int32Array(1 << smallest)
  let offsets = new Int32Array(1 << smallest)
  let next = new Int32Array(1 << smallest)
  /** How many entries have this hash, up to and including this one. */
  let ranks = new Int32Array(1 << smallest)
  /** Entry + 1 of the first in each chain. */
  let heads = new Int32Array(2 << smallest)
  /** One byte for many hashes: nearly every place of a text is done with after this. */
  let filter = new Uint8Array(1 << 16)
  let filterShift = 16

  /** Of what was read last. */
  let hash = emptyHash
  let ordinal = 0
  let countedTo = -1
  let headShift = 32 - Math.log2(heads.length)

  const slotOf = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> headShift

  function link(entry: number): void {
    const slot = slotOf(hashes[entry]!)
    next[entry] = heads[slot]!
    heads[slot] = entry + 1
    filter[hashes[entry]! >>> filterShift]! |= 1 << ((hashes[entry]! >>> 5) & 7)
  }

  function grow(): void {
    hashes = doubled(hashes)
    ids = doubled(ids)
    offsets = doubled(offsets)
    next = doubled(next)
    ranks = doubled(ranks)
    heads = new Int32Array(2 * hashes.length)
    headShift--
    const filterBits = Math.min(Math.max(16, Math.log2(hashes.length) + 3), maxFilterBits)
    filter = new Uint8Array(1 << filterBits)
    filterShift = 32 - filterBits
    for (let entry = 0; entry < count; entry++) link(entry)
  }

  function insert(hash: number, id: number, offset: number): void {
    if (count === hashes.length) grow()
    hashes[count] = hash
    ids[count] = id
    offsets[count] = offset
    ranks[count] = 1 + (ranks[newestOf(hash)] ?? 0)
    link(count)
    count++
  }

  /** The entry of this hash that was added last; -1 where there is none. A chain begins with what is newest in it. */
  function newestOf(hash: number): number {
    let entry = heads[slotOf(hash)]! - 1
    while (entry >= 0 && hashes[entry] !== hash) entry = next[entry]! - 1
    return entry
  }

  /** How many share the window; endless where this body has it already. */
  function sharers(hash: number, id: number): number {
    const entry = newestOf(hash)
    if (entry < 0) return 0
    return ids[entry] === id ? Infinity : ranks[entry]!
  }

  /** One past the end is in no alphabet. */
  const isIn = (text: string, place: number): boolean => (gears[text.charCodeAt(place)] ?? 0) !== 0

  /** Reads on until the filter knows the hash. By itself and short, so that it is compiled early. */
  function nextHit(start: number, length: number): number {
    let rolling = hash
    let i = start
    for (; i < length; i += 2) {
      const first = gears[units[i]!]!
      rolling = ((rolling << first) + first) | 0
      const second = gears[units[i + 1]!]!
      rolling = ((rolling << second) + second) | 0
      if (((filter[rolling >>> filterShift]! >>> ((rolling >>> 5) & 7)) & 1) !== 0) break
    }
    hash = rolling
    return i
  }

  function look(text: string, until: number, report: Report): void {
    let last = -1
    for (let entry = heads[slotOf(hash)]! - 1; entry >= 0; entry = next[entry]! - 1) {
      if (hashes[entry] !== hash) continue
      if (last < 0) {
        for (last = until; last > 0 && !isIn(text, last);) last--
        countTo(text, last)
      }
      report(ids[entry]!, offsets[entry]!, last, ordinal)
    }
  }

  /** Windows far from each other are not of one occurrence: there is no need to count what stands between them. */
  function countTo(text: string, last: number): void {
    if (last - countedTo > farApart) ordinal += last - countedTo + farApart
    else for (let place = countedTo + 1; place <= last; place++) if (isIn(text, place)) ordinal++
    countedTo = last
  }

  return {
    add(id, body, least) {
      const all = hashesOf(body, gears)
      const crowd = (offset: number): number =>
        Math.max(sharers(all[offset]!, id), sharers(all[offset + 1]!, id))
      const put = (offset: number): void => {
        insert(all[offset]!, id, offset)
        insert(all[offset + 1]!, id, offset + 1)
      }
      const lastPair = body.length - minBodyLength
      let placed = false
      // The last pair of the first stretch, the last of the next stretch without it, and so on.
      for (let offset = least - minBodyLength; ; offset += least - windowLength) {
        const at = Math.min(offset, lastPair)
        if (crowd(at) < enoughSharers) {
          put(at)
          placed = true
        }
        if (at >= body.length - least) break
      }
      if (placed) return
      let [best, fewest] = [0, Infinity]
      for (let offset = 0; offset <= lastPair && fewest >= enoughSharers; offset++) {
        const sharing = crowd(offset)
        if (sharing < fewest) [best, fewest] = [offset, sharing]
      }
      if (fewest >= maxSharers) throw new Error('too many values that look alike to hunt for')
      put(best)
    },

    scan(text, report) {
      hash = emptyHash
      ordinal += farApart
      countedTo = -1
      for (let from = 0; from < text.length; from += pieceLength) {
        const length = Math.min(pieceLength, text.length - from)
        unitBytes.write(text.slice(from, from + length), 0, 'utf16le')
        if (endianness() === 'BE') unitBytes.swap16()
        units[length] = 0
        for (let i = nextHit(0, length); i < length; i = nextHit(i + 2, length))
          look(text, from + i + 1, report)
      }
    },
  }
}

/** Of every window in turn, until the next body is read. */
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

/** A gear shifts the hash by four, so that what is seven characters back has left it. */
function alphabetOf(symbolOf: (unit: number) => number): Alphabet {
  let made: Int32Array | undefined
  return {
    // Made on first use: a client waits for the start of its server, and most know no values yet.
    get gears() {
      return (made ??= gearsOf(symbolOf))
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

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length)
  larger.set(array)
  return larger
}
