import { createDotSpace, type DotSpace } from './dot-space.ts'
import { quantize, unpackVector } from './packed-vector.ts'
import type { Neighbour } from './vector-index.ts'

/** Vectors of one model side by side in memory, to compare a query with all of them. */
export interface VectorTable {
  readonly dimension: number
  readonly size: number
  /** Adds, or replaces the one of this row. `packed` as `packVector` made it. */
  set(row: number, project: string, packed: Uint8Array): void
  drop(row: number): void
  /** The closest first; only of these projects where some are given. */
  nearest(query: Float32Array, limit: number, projects?: readonly string[]): Neighbour[]
  similarities(query: Float32Array, rows: readonly number[]): Map<number, number>
}

/** Compared at a time. The products of a block fit into the cache. */
const blockRows = 4096

export function createVectorTable(dimension: number, space: DotSpace = createDotSpace()): VectorTable {
  const width = Math.ceil(dimension / 16) * 16
  const out = 2 * width
  const start = out + 4 * blockRows
  // Of the query: as fine as int16 allows while the sum of all products stays within int32.
  const largest = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * width)))
  space.reserve(start)
  let bytes = new Int8Array(space.buffer)
  let capacity = 0
  let size = 0
  let rows = new Float64Array(0)
  /** One over the length of each. */
  let weights = new Float32Array(0)
  let owners = new Uint32Array(0)
  const slots = new Map<number, number>()
  const projects = new Map<string, number>()

  const grow = (): void => {
    capacity = Math.max(256, Math.ceil(capacity * 1.5))
    space.reserve(start + capacity * width)
    bytes = new Int8Array(space.buffer)
    rows = grown(rows, new Float64Array(capacity))
    weights = grown(weights, new Float32Array(capacity))
    owners = grown(owners, new Uint32Array(capacity))
  }

  const drop = (row: number): void => {
    const slot = slots.get(row)
    if (slot === undefined) return
    slots.delete(row)
    size--
    if (slot === size) return
    // The last one takes the free place.
    const last = rows[size] ?? 0
    bytes.copyWithin(start + slot * width, start + size * width, start + (size + 1) * width)
    rows[slot] = last
    weights[slot] = weights[size] ?? 0
    owners[slot] = owners[size] ?? 0
    slots.set(last, slot)
  }

  /** Answers one over the length of the query as it will be multiplied. */
  const takeQuery = (query: Float32Array): number => {
    const numbers = new Int16Array(space.buffer, 0, width)
    numbers.fill(0)
    return inverse(quantize(query, numbers, largest))
  }
  const products = (from: number, to: number): Int32Array => {
    space.dots({ from: start + from * width, to: start + to * width, query: 0, width, out })
    return new Int32Array(space.buffer, out, to - from)
  }

  return {
    dimension,
    get size() {
      return size
    },
    set: (row, project, packed) => {
      const { length, numbers } = unpackVector(packed)
      let slot = slots.get(row)
      if (slot === undefined) {
        if (size === capacity) grow()
        slot = size++
        slots.set(row, slot)
      }
      bytes.set(numbers, start + slot * width)
      rows[slot] = row
      weights[slot] = inverse(length)
      owners[slot] = numbered(projects, project)
    },
    drop,
    nearest: (query, limit, only) => {
      const queryWeight = takeQuery(query)
      const allowed = only && new Set(only.map((project) => projects.get(project)))
      const best = createBest(limit)
      let least = best.least()
      for (let from = 0; from < size; from += blockRows) {
        const block = products(from, Math.min(size, from + blockRows))
        for (let i = 0; i < block.length; i++) {
          const slot = from + i
          const similarity = (block[i] ?? 0) * (weights[slot] ?? 0) * queryWeight
          if (similarity < least || (allowed !== undefined && !allowed.has(owners[slot]))) continue
          best.add(rows[slot] ?? 0, withinOne(similarity))
          least = best.least()
        }
      }
      return best.take()
    },
    similarities: (query, wanted) => {
      const queryWeight = takeQuery(query)
      const found = new Map<number, number>()
      for (const row of wanted) {
        const slot = slots.get(row)
        if (slot === undefined) continue
        const [product = 0] = products(slot, slot + 1)
        found.set(row, withinOne(product * (weights[slot] ?? 0) * queryWeight))
      }
      return found
    },
  }
}

/** A vector without length is close to nothing. */
function inverse(length: number): number {
  return length > 0 ? 1 / length : 0
}

function withinOne(cosine: number): number {
  return Math.max(-1, Math.min(1, cosine))
}

function grown<T extends { set(values: T): void }>(values: T, larger: T): T {
  larger.set(values)
  return larger
}

/** A number for each name, counted up. */
function numbered(names: Map<string, number>, name: string): number {
  let number = names.get(name)
  if (number === undefined) {
    number = names.size
    names.set(name, number)
  }
  return number
}

interface Best {
  /** What is below need not be added. */
  least(): number
  add(row: number, similarity: number): void
  /** The best first. */
  take(): Neighbour[]
}

/** The best so many of a long list, sorted now and then: what is added in between may be cut again. Of equals the older row wins. */
function createBest(limit: number): Best {
  let kept: Neighbour[] = []
  let least = -Infinity
  const cut = (): Neighbour[] => {
    kept = kept.sort((a, b) => b.similarity - a.similarity || a.row - b.row).slice(0, limit)
    if (kept.length === limit) least = kept.at(-1)?.similarity ?? Infinity
    return kept
  }
  return {
    least: () => least,
    add: (row, similarity) => {
      if (kept.push({ row, similarity }) >= 2 * limit) cut()
    },
    take: cut,
  }
}
