import { expect, test } from 'vitest'

import { maskSpans } from './masked-text.ts'
import { matchingLines, queryWords } from './matching-lines.ts'

const lines = ['export function getUserById(id) {', '  // the usual', '', '  return users.find(id)', '}'].map(
  (text, at) => ({ number: 10 + at, text }),
)
const shown = (query: string, most = 3): number[] =>
  matchingLines(lines, queryWords(query), most).map(({ number }) => number)

test('selects the lines with most of the words, in order', () => {
  expect(shown('where is the user found by id')).toEqual([10, 13])
  expect(shown('find users', 1)).toEqual([13])
  expect(shown('getUserById')).toEqual([10, 13])
})

test('selects the first nonblank lines if no word matches', () => {
  expect(shown('zebra', 2)).toEqual([10, 11])
  expect(shown('???')).toEqual([10, 11, 13])
})

test('masking keeps every line in place', () => {
  const text = 'a KEY1\nKEY2\nKEY3 b\nc'
  expect(maskSpans(text, [{ start: 2, end: 16 }], '*')).toBe('a *\n\n b\nc')
  expect(maskSpans(text, [], '*')).toBe(text)
  expect(
    maskSpans(
      'abcdef',
      [
        { start: 3, end: 5 },
        { start: 1, end: 4 },
        { start: 2, end: 3 },
      ],
      '*',
    ),
  ).toBe('a**f')
})
