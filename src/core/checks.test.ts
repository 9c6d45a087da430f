import { expect, test } from 'vitest'

import { sizeOf } from './checks.ts'

test.each([
  ['a text', 'abcd', 4],
  ['names and values', { ab: 'cd', e: 1 }, 8],
  ['a list', ['ab', ['c', null]], 6],
  ['nothing', undefined, 1],
])('the size of %s', (_, value, size) => {
  expect(sizeOf(value, 1000)).toBe(size)
})

test('no more is counted than has to be', () => {
  const many = Array.from({ length: 1_000_000 }, () => 'xxxxxxxxxx')
  expect(sizeOf(many, 100)).toBeLessThan(200)
  expect(sizeOf({ a: { b: many } }, 100)).toBeLessThan(200)
})
