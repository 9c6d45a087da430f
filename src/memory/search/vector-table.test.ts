import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createDotSpace, plainSpace } from './dot-space.ts'
import { packVector, unpackVector } from './packed-vector.ts'
import { createVectorTable } from './vector-table.ts'

/** Reproducible pseudorandom numbers. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
}

function randomVector(dimension: number, next: () => number): Float32Array {
  return Float32Array.from({ length: dimension }, next)
}

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = one.reduce((sum, value, i) => sum + value * other[i]!, 0)
  return dot / (Math.hypot(...one) * Math.hypot(...other))
}

test('WebAssembly and the plain loop compute the same products', () => {
  const [width, count] = [48, 300]
  const [query, out, from] = [0, 1024, 4096]
  const next = numbers(7)
  const spaces = [createDotSpace(), plainSpace()]
  for (const space of spaces) space.reserve(from + width * count)
  const bytes = Int8Array.from({ length: width * count }, () => Math.round(next() * 127))
  const wanted = Int16Array.from({ length: width }, () => Math.round(next() * 8191))
  const products = spaces.map((space) => {
    new Int8Array(space.buffer, from).set(bytes)
    new Int16Array(space.buffer, query, width).set(wanted)
    space.dots({ from, to: from + width * count, query, width, out })
    return new Int32Array(space.buffer, out, count).slice()
  })
  const byHand = Array.from({ length: count }, (_, row) =>
    wanted.reduce((sum, value, i) => sum + value * bytes[row * width + i]!, 0),
  )
  expect(Array.from(products[0]!)).toEqual(byHand)
  expect(Array.from(products[1]!)).toEqual(byHand)
})

test('the largest products of the longest vectors do not overflow', () => {
  const table = createVectorTable(8192)
  const flat = new Float32Array(8192).fill(1)
  table.set(1, '', packVector(flat))
  expect(table.nearest(flat, 1)).toEqual([{ row: 1, similarity: expect.closeTo(1, 6) }])
  expect(
    table
      .similarities(
        flat.map((value) => -value),
        [1],
      )
      .get(1),
  ).toBeCloseTo(-1, 6)
})

test('a packed vector uses one byte per dimension and keeps its direction', () => {
  const next = numbers(3)
  for (const dimension of [1, 3, 256, 1536]) {
    const vector = randomVector(dimension, next)
    const packed = packVector(vector)
    expect(packed.byteLength).toBe(dimension + 4)
    // As a driver returns it: a view into a larger buffer, at any offset.
    const shifted = new Uint8Array(dimension + 11)
    shifted.set(packed, 7)
    const { length, numbers: bytes } = unpackVector(shifted.subarray(7))
    expect(length).toBeCloseTo(Math.hypot(...bytes), 2)
    expect(cosine(vector, Float32Array.from(bytes))).toBeGreaterThan(0.999)
  }
})

describe.each([
  ['vector instructions', createDotSpace],
  ['the plain loop', plainSpace],
])('a table with %s', (_, space) => {
  test('finds the same as comparing exact values, across several blocks', () => {
    const next = numbers(11)
    const dimension = 40
    const table = createVectorTable(dimension, space())
    const vectors = Array.from({ length: 9000 }, () => randomVector(dimension, next))
    for (const [row, vector] of vectors.entries())
      table.set(row, row % 3 === 0 ? 'a' : 'b', packVector(vector))
    expect(table.size).toBe(9000)
    const query = randomVector(dimension, next)
    const exact = vectors
      .map((vector, row) => ({ row, similarity: cosine(query, vector) }))
      .sort((a, b) => b.similarity - a.similarity)
    const found = table.nearest(query, 50)
    expect(found.map(({ similarity }) => similarity)).toEqual(
      exact.slice(0, 50).map(({ similarity }) => expect.closeTo(similarity, 2)),
    )
    const top = new Set(exact.slice(0, 50).map(({ row }) => row))
    expect(found.filter(({ row }) => top.has(row)).length).toBeGreaterThanOrEqual(48)
    expect(found[0]?.row).toBe(exact[0]?.row)
    const ofA = exact.find(({ row }) => row % 3 === 0)
    expect(table.nearest(query, 1, ['a'])[0]?.row).toBe(ofA?.row)
  })
})

test('on ties, the older row comes first in any insertion order', () => {
  const table = createVectorTable(4)
  const same = packVector(Float32Array.of(1, 2, 3, 4))
  for (const row of [5, 3, 9, 1, 7]) table.set(row, '', same)
  table.drop(5)
  expect(table.nearest(Float32Array.of(1, 2, 3, 4), 3).map(({ row }) => row)).toEqual([1, 3, 7])
  expect(table.nearest(Float32Array.of(1, 2, 3, 4), 0)).toEqual([])
})

test('contains the same as a plain map after any sequence of set and drop', () => {
  const change = fc.oneof(
    fc.record({ row: fc.integer({ min: 1, max: 12 }), set: fc.integer({ min: 0, max: 7 }) }),
    fc.record({ row: fc.integer({ min: 1, max: 12 }), set: fc.constant(undefined) }),
  )
  const direction = (axis: number): Float32Array =>
    Float32Array.from({ length: 8 }, (_, i) => (i === axis ? 1 : 0))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const table = createVectorTable(8)
      const plain = new Map<number, number>()
      for (const { row, set } of changes) {
        if (set === undefined) {
          table.drop(row)
          plain.delete(row)
        } else {
          table.set(row, `p${set % 2}`, packVector(direction(set)))
          plain.set(row, set)
        }
      }
      expect(table.size).toBe(plain.size)
      for (let axis = 0; axis < 8; axis++) {
        const here = [...plain].filter(([, at]) => at === axis).map(([row]) => row)
        const close = table
          .nearest(direction(axis), 20, [`p${axis % 2}`])
          .filter(({ similarity }) => similarity > 0.9)
        expect(close.map(({ row }) => row)).toEqual(here.sort((a, b) => a - b))
      }
    }),
    { numRuns: 100 },
  )
})
