import { expect, it } from 'vitest'

import { covers, matches } from './wildcard.ts'

it.each([
  ['bash', 'bash', true],
  ['bash', 'Bash', false],
  ['bash', '*', true],
  ['bash', 'b*h', true],
  ['bash', 'ba?h', true],
  ['bash', 'bas', false],
  ['notes_read', 'notes_*', true],
  ['notes', 'notes_*', false],
  ['git push', 'git push *', true],
  ['git push --force', 'git push *', true],
  ['git pushes', 'git push *', false],
  ['a\nb', '*', true],
  ['a.b', 'a?b', true],
  ['axb', 'a.b', false],
  ['src\\a.ts', 'src/*', true],
  ['', '*', true],
  ['', '', true],
  ['aab', '*ab', true],
  ['abcabd', '*ab?', true],
])('%j matches %j: %j', (text, pattern, expected) => {
  expect(matches(text, pattern)).toBe(expected)
})

it('matches patterns with many stars in reasonable time', () => {
  expect(matches('a'.repeat(5000), `${'*a'.repeat(500)}b`)).toBe(false)
  expect(matches(`${'a'.repeat(5000)}b`, `${'*a'.repeat(500)}b`)).toBe(true)
})

it.each([
  ['*', 'git push *', true],
  ['git *', 'git push *', true],
  ['git *', 'git *', true],
  ['git *', 'git', true],
  ['git push *', 'git *', false],
  ['git ?', 'git *', false],
  ['git p*', 'git *', false],
  ['git * x', 'git *', false],
  ['notes_*', 'notes_read', true],
])('%j covers %j: %j', (outer, inner, isCovered) => {
  expect(covers(outer, inner)).toBe(isCovered)
})
