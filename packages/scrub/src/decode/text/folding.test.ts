import { expect, test } from 'vitest'

import { foldedRun } from './folding.ts'
import { runBits, sourceOf } from './source.ts'

const piecesOf = (text: string, start = 0, most = Infinity): string[] => {
  const source = sourceOf(text)
  let end = start
  while (/[A-Za-z0-9+/_-]/.test(text[end] ?? '')) end++
  const { starts, ends } = foldedRun(source, start, end, runBits, most)
  return starts.map((from, piece) => text.slice(from, ends[piece]))
}

test.each([
  ['lines', 'AAAA\nBBBB\nCC\n'],
  ['lines of Windows', 'AAAA\r\nBBBB\r\nCC'],
  ['blanks at the end of a line', 'AAAA  \nBBBB \nCC'],
  ['written line breaks', 'AAAA\\nBBBB\\nCC'],
  ['written line breaks of Windows', 'AAAA\\r\\nBBBB\\r\\nCC'],
  ['line breaks written twice over', 'AAAA\\\\nBBBB\\\\nCC'],
  ['an end of padding', 'AAAA\nBBBB\nCC=='],
  ['an end of a string', 'AAAA\nBBBB\nCC"'],
])('goes on over %s', (_, text) => {
  expect(piecesOf(text)).toEqual(['AAAA', 'BBBB', 'CC'])
})

test.each([
  ['indented', '    AAAA\n    BBBB\n', 4],
  ['quoted', '> AAAA\n> BBBB\n', 2],
  ['added in a diff', '+AAAA\n+BBBB\n', 1],
  ['numbered', ' 9 AAAA\n10 BBBB\n', 3],
  ['strings of their own', '"AAAA"\n"BBBB"', 1],
  ['strings that are added up', '"AAAA" +\n  "BBBB"', 1],
  ['behind a name', 'key: AAAA\n  BBBB\n', 5],
])('lines are %s', (_, text, start) => {
  expect(piecesOf(text, start)).toEqual(['AAAA', 'BBBB'])
})

test('lines of the usual lengths may be put on one line', () => {
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

test('ends where a line is longer than the one before, and where it is told to', () => {
  expect(piecesOf('AAAA\nBBBB\nCCCCCC\n')).toEqual(['AAAA', 'BBBB'])
  expect(piecesOf('AAAA\nBBBB\nCC\n', 0, 8)).toEqual(['AAAA', 'BBBB'])
})
