import { createDotSpace, type DotSpace } from './dot-space.ts'
import { quantize, unpackVector } from './packed-vector.ts'
import type { Neighbour } from './vector-index.ts'

/** Vectors of one model in contiguous memory, to compare a query with all of them. */
export interface VectorTable {
  readonly dimension: number
  readonly size: number
  /** Adds or replaces a row's vector. `packed` is the output of `packVector`. */
  set(row: number, project: string, packed: Uint8Array): void
  drop(row: number): void
  /** Closest first; limited to these projects if given. */
  nearest(query: Float32Array, limit: number, projects?: readonly string[]): Neighbour[]
  similarities(query: Float32Array, rows: readonly number[]): Map<number, number>
}

/** Rows compared at a time, so that the products fit into the cache. */
const blockRows = 4096

export function createVectorTable(dimension: number, space: DotSpace = createDotSpace()): VectorTable {
  const width = Math.ceil(dimension / 16) * 16
  const out = 2 * width
  const start = out + 4 * blockRows
  // Query resolution: as fine as int16 allows while the sum of all products fits into int32.
  const largest = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * width)))
  space.reserve(start)
  let bytes = new Int8Array(space.buffer)
  let capacity = 0
  let size = 0
  let rows = new Float64Array(0)
  /** Reciprocal length of each vector. */
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
    // Move the last one into the free slot.
    const last = rows[size] ?? 0
    bytes.copyWithin(start + slot * width, start + size * width, start + (size + 1) * width)
    rows[slot] = last
    weights[slot] = weights[size] ?? 0
    owners[slot] = owners[size] ?? 0
    slots.set(last, slot)
  }

  /** Returns the reciprocal length of the quantized query. */
  const loadQuery = (query: Float32Array): number =>
    inverse(quantize(query, new Int16Array(space.buffer, 0, width).fill(0), largest))
  const products = (from: number, to: number): Int32Array => {
    space.dots({ from: start + from * width, to: start + to * width, query: 0, width, out })
    return new Int32Array(space.buffer, out, to - from)
  }

  return {
    dimension,
    get size() {
      return size
    },
    drop,
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
      owners[slot] = idFor(projects, project)
    },
    nearest: (query, limit, only) => {
      const queryWeight = loadQuery(query)
      const allowed = only && new Set(only.map((project) => projects.get(project)))
      const best = createTopList(limit)
      let threshold = best.threshold()
      for (let from = 0; from < size; from += blockRows) {
        const block = products(from, Math.min(size, from + blockRows))
        for (let i = 0; i < block.length; i++) {
          const slot = from + i
          const similarity = (block[i] ?? 0) * (weights[slot] ?? 0) * queryWeight
          if (similarity < threshold || (allowed !== undefined && !allowed.has(owners[slot]))) continue
          best.add(rows[slot] ?? 0, clampCosine(similarity))
          threshold = best.threshold()
        }
      }
      return best.sorted()
    },
    similarities: (query, rowsWanted) => {
      const queryWeight = loadQuery(query)
      const found = new Map<number, number>()
      for (const row of rowsWanted) {
        const slot = slots.get(row)
        if (slot === undefined) continue
        const [product = 0] = products(slot, slot + 1)
        found.set(row, clampCosine(product * (weights[slot] ?? 0) * queryWeight))
      }
      return found
    },
  }
}

/** A zero vector is close to nothing. */
function inverse(length: number): number {
  return length > 0 ? 1 / length : 0
}

function clampCosine(cosine: number): number {
  return Math.max(-1, Math.min(1, cosine))
}

function grown<T extends { set(values: T): void }>(values: T, larger: T): T {
  larger.set(values)
  return larger
}

/** Assigns consecutive numbers to names. */
function idFor(names: Map<string, number>, name: string): number {
  let number = names.get(name)
  if (number === undefined) {
    number = names.size
    names.set(name, number)
  }
  return number
}

interface TopList {
  /** Lower similarities need not be added. */
  threshold(): number
  add(row: number, similarity: number): void
  /** Best first. */
  sorted(): Neighbour[]
}

/**
 * Keeps the best entries of a long list by sorting occasionally, so added entries may be dropped again. On ties, the
 * older row wins.
 */
function createTopList(limit: number): TopList {
  let kept: Neighbour[] = []
  let threshold = -Infinity
  const trim = (): Neighbour[] => {
    kept = kept.sort((a, b) => b.similarity - a.similarity || a.row - b.row).slice(0, limit)
    if (kept.length === limit) threshold = kept.at(-1)?.similarity ?? Infinity
    return kept
  }
  return {
    threshold: () => threshold,
    add: (row, similarity) => {
      if (kept.push({ row, similarity }) >= 2 * limit) trim()
    },
    sorted: trim,
  }
}
