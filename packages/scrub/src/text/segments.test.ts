import { expect, test } from 'vitest'

import { lookAhead, nextPiece, pieceLength } from './segments.ts'
import type { SecretSpan } from './span.ts'

const findStars = (text: string): SecretSpan[] =>
  [...text.matchAll(/\*+/g)].map(({ index, 0: match }) => ({
    rule: 'r',
    start: index,
    end: index + match.length,
  }))

const line = `${'x'.repeat(79)}\n`
const long = line.repeat(Math.ceil((2 * (pieceLength + lookAhead)) / line.length))

test('a short text is one piece', () => {
  expect(nextPiece('a**b', 0, findStars)).toEqual({ spans: [{ rule: 'r', start: 1, end: 3 }], end: 4 })
})

test('a long text is cut after a line break', () => {
  const { end } = nextPiece(long, 0, findStars)
  expect(end).toBeGreaterThanOrEqual(pieceLength)
  expect(long[end - 1]).toBe('\n')
})

test('a secret is never cut, even if it contains the line break', () => {
  const place = pieceLength - 10
  const text = `${long.slice(0, place)}${'*'.repeat(5000)}${long.slice(place)}`
  const { spans, end } = nextPiece(text, 0, findStars)
  expect(spans).toEqual([{ rule: 'r', start: place, end: place + 5000 }])
  expect(end).toBeGreaterThanOrEqual(place + 5000)
})

test('without line breaks it is cut at a space, without spaces anywhere except inside a surrogate pair', () => {
  const spaced = 'word '.repeat(100_000)
  expect(spaced[nextPiece(spaced, 0, findStars).end - 1]).toBe(' ')
  const emoji = 'a' + '😀'.repeat(300_000)
  const { end } = nextPiece(emoji, 0, findStars)
  expect(emoji.slice(0, end).isWellFormed?.() ?? true).toBe(true)
  expect(emoji.codePointAt(end - 2)).toBeGreaterThan(0xffff)
})
