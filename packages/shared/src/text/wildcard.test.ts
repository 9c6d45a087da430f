import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import { compileStars, matchesStars, matchesWildcards } from './wildcard.ts'

describe('matchesStars', () => {
  test.each([
    ['a', 'a', true],
    ['a', 'ab', false],
    ['*', '', true],
    ['a*', 'a', true],
    ['*b', 'ab', true],
    ['a*b', 'ab', true],
    ['ab*ba', 'abba', true],
    ['ab*ba', 'aba', false],
    ['a*c*e', 'abcde', true],
    ['a*e*c', 'abcde', false],
    ['a*bc*c', 'abcc', true],
    ['a*bc*c', 'abc', false],
    ['a**b', 'axb', true],
    ['a?', 'ab', false],
    ['A*', 'ab', false],
    [`${'*a'.repeat(200)}*b`, `${'a'.repeat(5000)}b`, true],
    [`${'*a'.repeat(200)}*b`, 'a'.repeat(5000), false],
  ])('%s and %s: %s', (pattern, text, isMatch) => {
    expect(matchesStars(pattern, text)).toBe(isMatch)
  })
})

/** Few characters, so that a random text often matches. */
const letters = fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 })
const symbols = fc.array(fc.constantFrom('a', 'b', '?', '*'), { maxLength: 8 })
const isStar = (symbol: string): boolean => symbol === '*'
const matchesOne = (symbol: string, item: string): boolean => symbol === '?' || symbol === item

/** Tries every length for every run. */
function matchesNaively(pattern: readonly string[], items: readonly string[]): boolean {
  const [symbol, ...rest] = pattern
  if (symbol === undefined) return items.length === 0
  if (isStar(symbol))
    return items.some((_, at) => matchesNaively(rest, items.slice(at))) || rest.every(isStar)
  const [item, ...others] = items
  return item !== undefined && matchesOne(symbol, item) && matchesNaively(rest, others)
}

describe('matchesWildcards', () => {
  it('finds a match if there is any, and none otherwise', () => {
    const seen = { true: 0, false: 0 }
    fc.assert(
      fc.property(symbols, letters, (pattern, items) => {
        const isMatch = matchesNaively(pattern, items)
        seen[`${isMatch}`]++
        expect(matchesWildcards(pattern, items, isStar, matchesOne)).toBe(isMatch)
        expect(matchesWildcards(pattern.join(''), items.join(''), isStar, matchesOne)).toBe(isMatch)
      }),
      { numRuns: 3000 },
    )
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(100)
  })

  it('matches what a pattern was made from, but not with an item that it has no symbol for', () => {
    const parts = fc.array(
      fc.oneof(
        letters.map((text) => ({ text })),
        letters.map((run) => ({ run })),
      ),
    )
    fc.assert(
      fc.property(parts, (made) => {
        const pattern = made.flatMap((part) => ('text' in part ? part.text : ['*']))
        const items = made.flatMap((part) => ('text' in part ? part.text : part.run))
        expect(matchesWildcards(pattern, items, isStar, matchesOne)).toBe(true)
        expect(matchesWildcards([...pattern, 'b'], [...items, 'c'], isStar, matchesOne)).toBe(false)
      }),
    )
  })
})

test('compileStars is matchesWildcards with `*` as the only wildcard', () => {
  fc.assert(
    fc.property(symbols, letters, (pattern, items) => {
      const isLiteral = (symbol: string, item: string): boolean => symbol === item
      const isMatch = matchesWildcards(pattern, items, isStar, isLiteral)
      expect(compileStars(pattern.join(''))(items.join(''))).toBe(isMatch)
    }),
    { numRuns: 3000 },
  )
})
