import { expect, test } from 'vitest'

import { textOverhead } from '@contextd/scrub/internal/scrubbed'
import { sizeOf } from './checks.ts'

test.each([
  ['a text', 'abcd', 1 + 4 + textOverhead],
  ['names and values', { ab: 'cd', e: 1 }, 1 + (2 + 1 + 2) + (1 + 1) + 3 * textOverhead],
  ['a list', ['ab', ['c', null]], 1 + (1 + 2) + 1 + (1 + 1) + 1 + 2 * textOverhead],
  ['nothing', undefined, 1],
])('the size of %s', (_, value, size) => {
  expect(sizeOf(value, 1000)).toBe(size)
})

test('empty texts, names and values have a nonzero size', () => {
  expect(sizeOf(Array<string>(1000).fill(''), 1_000_000)).toBeGreaterThan(1000 * textOverhead)
  expect(sizeOf(Array<null>(1000).fill(null), 1_000_000)).toBeGreaterThan(1000)
})

test('counting stops above the limit', () => {
  const many = Array.from({ length: 1_000_000 }, () => 'xxxxxxxxxx')
  expect(sizeOf(many, 100)).toBeLessThan(200)
  expect(sizeOf(many, Infinity)).toBeGreaterThan(10_000_000)
  expect(sizeOf({ a: { b: many } }, 100)).toBeLessThan(200)
})
