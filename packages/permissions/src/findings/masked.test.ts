import { expect, test } from 'vitest'

import { masked } from './masked.ts'

/** Every run of digits is a secret. */
const digits = (text: string): { start: number; end: number }[] =>
  Array.from(text.matchAll(/\d+/g), ({ 0: found, index }) => ({ start: index, end: index + found.length }))

test.each([
  ['nothing', 'nothing'],
  ['a 12 b 345', 'a [SECRET] b [SECRET]'],
  ['12', '[SECRET]'],
  ['', ''],
])('%j is masked as %j', (text, shown) => {
  expect(masked(text, digits)).toBe(shown)
})

test('secrets may overlap and be in any order', () => {
  const spans = [
    { start: 4, end: 6 },
    { start: 0, end: 3 },
    { start: 1, end: 2 },
    { start: 2, end: 5 },
  ]
  expect(masked('abcdefgh', () => spans)).toBe('[SECRET]gh')
})
