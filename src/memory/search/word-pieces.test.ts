import { expect, test } from 'vitest'

import { plainWords, wordPieces } from './word-pieces.ts'

test.each([
  ['Hello, World', ['hello', ',', 'world']],
  ['naïve Ångström', ['naive', 'angstrom']],
  ['foo_bar(x) => $5', ['foo', '_', 'bar', '(', 'x', ')', '=', '>', '$', '5']],
  ["don't", ['don', "'", 't']],
  ['日本 and text', ['日', '本', 'and', 'text']],
  ['a\u200bb\tc\u00a0d', ['ab', 'c', 'd']],
  [' \n ', []],
  ['', []],
])('the words of %j', (text, words) => {
  expect([...plainWords(text)]).toEqual(words)
})

const vocabulary = new Map(['un', '##aff', '##able', '##a', 'a'].map((piece, number) => [piece, number]))

test.each<[string, number[] | undefined]>([
  ['unaffable', [0, 1, 2]],
  ['a', [4]],
  ['aaa', [4, 3, 3]],
  ['affable', undefined],
  ['unx', undefined],
  ['a'.repeat(101), undefined],
])('the pieces of %s', (word, pieces) => {
  expect(wordPieces(word, vocabulary)).toEqual(pieces)
})
