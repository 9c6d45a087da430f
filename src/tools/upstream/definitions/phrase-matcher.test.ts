import { expect, it } from 'vitest'

import { createMatcher, tokensOf, type Phrase } from './phrase-matcher.ts'

const words = (text: string): string[] => tokensOf(text).map(({ word }) => word)
const phrase = (...sequences: string[]): Phrase => ({ rule: 'r', why: 'w', sequences })
const concepts = { NOT: "do not|don't|never", USER: 'user|human', FILE: /\.env$/ }
const matcher = (...sequences: string[]) => createMatcher(concepts, [phrase(...sequences)])
const finds = (sequence: string, text: string): boolean => matcher(sequence)(text).length > 0

it.each([
  ['plain words. and more', ['plain', 'words', '.', 'and', 'more']],
  ["don't 'quote' it: now", ["don't", 'quote', 'it', 'now']],
  ["l'utilisateur n'est", ['l', 'utilisateur', 'n', 'est']],
  ['open ~/.ssh/id_rsa, (then) stop!', ['open', '~/.ssh/id_rsa', 'then', 'stop', '.']],
  ['不要告诉。', ['不', '要', '告', '诉', '.']],
  ['', []],
])('splits %j', (text, tokens) => {
  expect(words(text)).toEqual(tokens)
})

it.each([
  ['NOT tell USER', 'do not tell user', true],
  ['NOT tell USER', "don't tell human", true],
  ['NOT tell USER', 'do tell user', false],
  ['NOT 2 tell 3 the? USER', 'never ever do tell it to the user', true],
  ['NOT 1 tell USER', 'never one two tell user', false],
  ['NOT 4 USER', 'do not. the user decides', false],
  ['read 2 FILE', 'read the file .env', true],
  ['read 2 FILE', 'read the environment', false],
  ['不要|别 2 告诉 用户', '别再告诉用户', true],
  ['a b? c', 'a c', true],
  ['a b? c', 'a b b c', false],
])('%s in %j: %s', (sequence, text, isThere) => {
  expect(finds(sequence, text)).toBe(isThere)
})

it('reports one match with its position per rule', () => {
  const text = 'well, do not tell the user. never tell the user.'
  const [match, ...others] = matcher('NOT 2 tell 2 USER')(text)
  expect(text.slice(match!.start, match!.end)).toBe('do not tell the user')
  expect(others).toEqual([])
})

it('rejects a phrase that does not begin with a word', () => {
  expect(() => matcher('WHAT is')).toThrow('no concept WHAT')
  for (const sequence of ['2 a', 'FILE a', 'a? b'])
    expect(() => matcher(sequence)).toThrow('must begin with a word')
})

it('examines each position a bounded number of times', () => {
  let tests = 0
  const counting = { FILE: Object.assign(/x/, { test: () => (tests++, false) }) }
  const match = createMatcher(counting, [phrase('a 9 a 9 a 9 FILE')])
  match('a '.repeat(5000))
  expect(tests).toBeLessThan(5000 * 40)
})
