import { expect, test } from 'vitest'

import { foldedRun } from './folding.ts'
import { runBits, sourceOf } from './source.ts'

const piecesOf = (text: string, start = 0, maxCharacters = Infinity): string[] => {
  const source = sourceOf(text)
  let end = start
  while (/[A-Za-z0-9+/_-]/.test(text[end] ?? '')) end++
  const { starts, ends } = foldedRun(source, start, end, runBits, maxCharacters)
  return starts.map((from, piece) => text.slice(from, ends[piece]))
}

test.each([
  ['lines', 'AAAA\nBBBB\nCC\n'],
  ['lines with Windows line breaks', 'AAAA\r\nBBBB\r\nCC'],
  ['trailing spaces', 'AAAA  \nBBBB \nCC'],
  ['escaped line breaks', 'AAAA\\nBBBB\\nCC'],
  ['escaped Windows line breaks', 'AAAA\\r\\nBBBB\\r\\nCC'],
  ['double-escaped line breaks', 'AAAA\\\\nBBBB\\\\nCC'],
  ['lines that end with padding', 'AAAA\nBBBB\nCC=='],
  ['lines that end with a quote', 'AAAA\nBBBB\nCC"'],
])('continues across %s', (_, text) => {
  expect(piecesOf(text)).toEqual(['AAAA', 'BBBB', 'CC'])
})

test.each([
  ['indented', '    AAAA\n    BBBB\n', 4],
  ['quoted', '> AAAA\n> BBBB\n', 2],
  ['added in a diff', '+AAAA\n+BBBB\n', 1],
  ['numbered', ' 9 AAAA\n10 BBBB\n', 3],
  ['separate strings', '"AAAA"\n"BBBB"', 1],
  ['concatenated strings', '"AAAA" +\n  "BBBB"', 1],
  ['after a name', 'key: AAAA\n  BBBB\n', 5],
])('joins lines that are %s', (_, text, start) => {
  expect(piecesOf(text, start)).toEqual(['AAAA', 'BBBB'])
})

test('joins lines of a common length that are on one line', () => {
  const line = 'A'.repeat(64)
  expect(piecesOf(`${line} ${line} BB`)).toEqual([line, line, 'BB'])
  expect(piecesOf('AAAA BBBB')).toEqual(['AAAA'])
})

test.each([
  ['a sentence', 'AAAA\nand more'],
  ['the end of a sentence', 'AAAA\nend.'],
  ['a name', 'AAAA\nkey: x'],
  ['an empty line', 'AAAA\n\nBBBB'],
  ['something else', 'AAAA;BBBB'],
])('ends before %s', (_, text) => {
  expect(piecesOf(text)).toEqual(['AAAA'])
})

test('ends at a line longer than the previous one, and at the maximum length', () => {
  expect(piecesOf('AAAA\nBBBB\nCCCCCC\n')).toEqual(['AAAA', 'BBBB'])
  expect(piecesOf('AAAA\nBBBB\nCC\n', 0, 8)).toEqual(['AAAA', 'BBBB'])
})
