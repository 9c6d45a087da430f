import { expect, test } from 'vitest'

import type { Json } from '@contextd/shared/json/value'
import { formatPath, largestArray, mapLongTexts, replaceAt } from './json-parts.ts'

const long = 'x'.repeat(200)

test('finds long texts at any depth, but no short ones', () => {
  const found: string[] = []
  const value = { a: long, b: ['short', { c: long }], [long]: 1 }
  const mapped = mapLongTexts(value, (text, path) => {
    found.push(formatPath('data', path))
    return `${text.length}`
  })
  expect(found).toEqual(['data.a', 'data.b[1].c'])
  expect(mapped).toEqual({ a: '200', b: ['short', { c: '200' }], [long]: 1 })
})

test('the largest array is the outer one, unless it has one item', () => {
  expect(largestArray({ few: [1, 2], many: [[1, 2, 3], [4]] })).toMatchObject({ path: ['many'] })
  expect(largestArray([[1, 2, 3]])).toMatchObject({ path: [0] })
  expect(largestArray({ none: [], one: [1], text: long })).toBeUndefined()
})

test('replacing does not modify the original, and handles any key', () => {
  const value = JSON.parse('{"__proto__": {"a": [1, 2]}, "b": 3}') as Json
  const replaced = replaceAt(value, ['__proto__', 'a', 1], 'two')
  expect(JSON.stringify(replaced)).toBe('{"__proto__":{"a":[1,"two"]},"b":3}')
  expect(JSON.stringify(value)).toBe('{"__proto__":{"a":[1,2]},"b":3}')
  expect(replaceAt(value, [], 'all')).toBe('all')
})

test('values that are too deep are ignored', () => {
  let value: Json = long
  for (let depth = 0; depth < 100; depth += 1) value = [value, 1]
  expect(mapLongTexts(value, () => 'found')).toEqual(value)
})

test('paths are short for any keys', () => {
  expect(formatPath('data', ['items', 3, 'text'])).toBe('data.items[3].text')
  expect(formatPath('data', ['k'.repeat(5000)]).length).toBeLessThan(60)
})
