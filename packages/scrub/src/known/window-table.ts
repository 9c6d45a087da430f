/**
 * Hashes of windows with the body and offset of each: a hash table with chains, behind a bit filter that rejects nearly
 * every hash of a text.
 */
export interface WindowTable {
  /** Number of entries. */
  count: number
  /** Columns of the entries. */
  hashes: Int32Array
  ids: Int32Array
  offsets: Int32Array
  /** Number of entries with the same hash, up to and including this one. */
  ranks: Int32Array
  /** The previous entry of the same chain, plus 1. */
  next: Int32Array
  /** The newest entry of each chain, plus 1. */
  heads: Int32Array
  headShift: number
  filter: Uint8Array
  filterShift: number
}

const minCapacityBits = 12
const minFilterBits = 16
const maxFilterBits = 20

export function createWindowTable(): WindowTable {
  const capacity = 1 << minCapacityBits
  return {
    count: 0,
    hashes: new Int32Array(capacity),
    ids: new Int32Array(capacity),
    offsets: new Int32Array(capacity),
    ranks: new Int32Array(capacity),
    next: new Int32Array(capacity),
    heads: new Int32Array(2 * capacity),
    headShift: 32 - (minCapacityBits + 1),
    filter: new Uint8Array(1 << minFilterBits),
    filterShift: 32 - minFilterBits,
  }
}

export function insertWindow(table: WindowTable, hash: number, id: number, offset: number): void {
  if (table.count === table.hashes.length) grow(table)
  const entry = table.count
  table.hashes[entry] = hash
  table.ids[entry] = id
  table.offsets[entry] = offset
  table.ranks[entry] = 1 + (table.ranks[newestOf(table, hash)] ?? 0)
  link(table, entry)
  table.count++
}

/** The newest entry in the chain of the hash, or -1. The chain may contain other hashes. */
export function chainOf(table: WindowTable, hash: number): number {
  return table.heads[slotOf(table, hash)]! - 1
}

function slotOf({ headShift }: WindowTable, hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> headShift
}

/** Number of bodies that share the window; Infinity if this body already stored it. */
export function sharersOf(table: WindowTable, hash: number, id: number): number {
  const entry = newestOf(table, hash)
  if (entry < 0) return 0
  return table.ids[entry] === id ? Infinity : table.ranks[entry]!
}

/** The newest entry of this hash, or -1. */
function newestOf(table: WindowTable, hash: number): number {
  const { hashes, next } = table
  let entry = chainOf(table, hash)
  while (entry >= 0 && hashes[entry] !== hash) entry = next[entry]! - 1
  return entry
}

function grow(table: WindowTable): void {
  table.hashes = doubled(table.hashes)
  table.ids = doubled(table.ids)
  table.offsets = doubled(table.offsets)
  table.ranks = doubled(table.ranks)
  table.next = doubled(table.next)
  const capacity = table.hashes.length
  table.heads = new Int32Array(2 * capacity)
  table.headShift--
  const filterBits = Math.min(Math.max(minFilterBits, Math.log2(capacity) + 3), maxFilterBits)
  table.filter = new Uint8Array(1 << filterBits)
  table.filterShift = 32 - filterBits
  for (let entry = 0; entry < table.count; entry++) link(table, entry)
}

/** Adds the entry to its chain and to the filter. */
function link(table: WindowTable, entry: number): void {
  const { next, heads, filter, filterShift } = table
  const hash = table.hashes[entry]!
  const slot = slotOf(table, hash)
  next[entry] = heads[slot]!
  heads[slot] = entry + 1
  filter[hash >>> filterShift]! |= 1 << ((hash >>> 5) & 7)
}

function doubled(array: Int32Array): Int32Array {
  const larger = new Int32Array(2 * array.length)
  larger.set(array)
  return larger
}
