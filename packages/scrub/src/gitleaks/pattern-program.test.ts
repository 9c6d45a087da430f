import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'

import { everyMatchContains, maxMatchLength, programOf } from './pattern-program.ts'

const longest = (pattern: string): number => maxMatchLength(programOf(RE2JS.compile(pattern)))
const holds = (pattern: string, ...keywords: string[]): boolean =>
  everyMatchContains(programOf(RE2JS.compile(pattern)), keywords)

describe('the longest match', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['a|bcd', 3],
    ['a?b{2,5}', 6],
    [String.raw`\bab$`, 2],
    ['(?i)(ab)[c-e]{3}', 5],
    ['.', 2],
    [String.raw`\x{1F600}a`, 3],
    [String.raw`[\w.-]{0,50}?acme[a-z0-9]{32}(?:['"\s]|$)`, 87],
    ['(?i)k', 1],
    ['a+', Infinity],
    ['(a*)b', Infinity],
    ['(?:a|b+)c', Infinity],
    ['x{1000}', 1000],
  ])('of %s is %d', (pattern, expected) => {
    expect(longest(pattern)).toBe(expected)
  })

  test('is found in large programs too', () => {
    expect(longest('x{1000}'.repeat(50))).toBe(50_000)
  })
})

describe('a keyword in every match', () => {
  test.each([
    ['acme_[a-z]{8}', ['acme_']],
    ['acme_[a-z]{8}', ['cme']],
    ['(?i)acme_[a-z]{8}', ['acme_']],
    ['(?i)[a-z]{0,50}?(?:secretkey)=', ['secretkey']],
    ['(?:one|two)[0-9]+', ['one', 'two']],
    ['(?:one|two)[0-9]+', ['one', 'w']],
    ['[Aa][Bb]', ['ab']],
    ['a(?:b|b)c+', ['abc']],
    ['aab', ['ab']],
    ['(?:a|aa)ab', ['aab']],
    [String.raw`\babc\b`, ['b']],
    ['x*abc', ['abc', 'zzz']],
    ['(?i)sk_', ['sk_']],
  ])('%s: %j', (pattern, keywords) => {
    expect(holds(pattern, ...keywords)).toBe(true)
  })

  test.each([
    ['acme_[a-z]{8}', ['acme_x']],
    ['acme_[a-z]{8}', []],
    ['(?:one|two)[0-9]+', ['one']],
    ['[ab]c', ['bc']],
    ['.bc', ['abc']],
    ['a?bc', ['abc']],
    ['a.c', ['abc']],
    ['', ['a']],
    ['(?i)é', ['a']],
    ['(?s).*', ['a']],
  ])('not: %s: %j', (pattern, keywords) => {
    expect(holds(pattern, ...keywords)).toBe(false)
  })
})

test('what is claimed for all matches is true for actual matches', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    'ab',
    'A',
    '[ab]',
    '[^a]',
    '(?:a|bc)',
    '(?i:b)',
    'a?',
    'b{0,2}',
    'c+',
    '.',
    '|',
    String.raw`\b`,
    '(?:ab|cab)',
  )
  const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  const keywords = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', 'abc', 'c'), { minLength: 1, maxLength: 2 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', ' ', '\u{1F600}'), maxLength: 20 })
  let proven = 0
  fc.assert(
    fc.property(pattern, keywords, text, (source, words, input) => {
      const limit = longest(source)
      const isProven = holds(source, ...words)
      for (const [found = ''] of RE2JS.compile(source).matchAll(input)) {
        expect(found.length).toBeLessThanOrEqual(limit)
        if (!isProven) continue
        proven++
        expect(words.some((word) => found.toLowerCase().includes(word))).toBe(true)
      }
    }),
    { numRuns: 1500, seed: 23 },
  )
  expect(proven).toBeGreaterThan(30)
})
