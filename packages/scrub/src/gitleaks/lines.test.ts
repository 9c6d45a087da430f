import { expect, test } from 'vitest'

import { lineIndexOf } from './lines.ts'

const text = 'one\r\ntwo\n\nfour'

test.each([
  [0, 1, 1],
  [3, 1, 4],
  [4, 1, 5],
  [5, 2, 1],
  [8, 2, 4],
  [9, 3, 1],
  [10, 4, 1],
  [14, 4, 5],
])('offset %i is on line %i, column %i', (offset, line, column) => {
  expect(lineIndexOf(text).lineAt(offset)).toBe(line)
  expect(lineIndexOf(text).columnAt(offset)).toBe(column)
})

test.each([
  [0, 1, 'one'],
  [1, 3, 'one'],
  [6, 8, 'two'],
  [2, 6, 'one\r\ntwo'],
  [9, 9, ''],
  [12, 14, 'four'],
  [0, 14, text],
])('around %i to %i stands %j', (from, to, expected) => {
  const { start, end } = lineIndexOf(text).around(from, to)
  expect(text.slice(start, end)).toBe(expected)
})

test('a match that includes the carriage return keeps it', () => {
  expect(lineIndexOf(text).around(0, 4)).toEqual({ start: 0, end: 4 })
})

test('an empty text has one empty line', () => {
  expect(lineIndexOf('').lineAt(0)).toBe(1)
  expect(lineIndexOf('').around(0, 0)).toEqual({ start: 0, end: 0 })
})
