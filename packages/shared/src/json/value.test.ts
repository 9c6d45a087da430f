import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { canonicalJson, isWithinDepth, mapStrings, type Json, textsIn } from './value.ts'

test('mapStrings reaches keys and values at every depth', () => {
  const value = { a: ['x', { b: 'y' }], n: 1, t: true, z: null }
  expect(mapStrings(value, (text) => text.toUpperCase())).toEqual({
    A: ['X', { B: 'Y' }],
    N: 1,
    T: true,
    Z: null,
  })
})

test('mapStrings keeps a key named __proto__ as data', () => {
  const value = JSON.parse('{"__proto__":{"polluted":"yes"}}') as Json
  const mapped = mapStrings(value, (text) => text)
  expect(JSON.stringify(mapped)).toBe('{"__proto__":{"polluted":"yes"}}')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

test('canonicalJson is JSON, independent of key order', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(reversed(value as Json))).toBe(text)
    }),
  )
})

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  )
}

test('textsIn returns every string, keys included', () => {
  expect([...textsIn({ a: ['b', 1, null], c: { d: 'e' } })]).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('isWithinDepth counts each list and object as a level', () => {
  expect(isWithinDepth('a', 0)).toBe(true)
  expect(isWithinDepth([], 0)).toBe(false)
  expect(isWithinDepth({ a: [1, null] }, 2)).toBe(true)
  expect(isWithinDepth({ a: [1, {}] }, 2)).toBe(false)
})
