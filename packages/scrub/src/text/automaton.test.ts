import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { buildAutomaton } from './automaton.ts'

function hitsOf(keywords: readonly string[], text: string): [string, number][] {
  const { count, keyword, end } = buildAutomaton(keywords).scan(text)
  return Array.from({ length: count }, (_, i) => [keywords[keyword[i]!]!, end[i]!])
}

test('finds every keyword, including nested and overlapping ones', () => {
  expect(hitsOf(['he', 'she', 'his', 'hers'], 'ushers')).toEqual([
    ['she', 4],
    ['he', 4],
    ['hers', 6],
  ])
})

test('matches letters case-insensitively, and other characters exactly', () => {
  expect(hitsOf(['a_b['], 'A_B[ a_b{')).toEqual([['a_b[', 4]])
})

test('finds the same as a naive search in any text', () => {
  const shortKeyword = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(
      fc.uniqueArray(shortKeyword, { minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'B', 'c', '_', ' ', 'é'), maxLength: 60 }),
      (keywords, text) => {
        const expected = keywords.flatMap((keyword) =>
          Array.from({ length: text.length + 1 }, (_, end) => end)
            .filter((end) => text.slice(0, end).toLowerCase().endsWith(keyword))
            .map((end): [string, number] => [keyword, end]),
        )
        expect(new Set(hitsOf(keywords, text).map(String))).toEqual(new Set(expected.map(String)))
      },
    ),
  )
})

test('returns more hits than the buffers initially hold', () => {
  expect(hitsOf(['a'], 'a'.repeat(5000))).toHaveLength(5000)
})

test('finds keywords across chunk boundaries', () => {
  const places = [16_380, 16_384, 32_766, 40_000]
  const text = 'x'.repeat(50_000).split('')
  for (const place of places) text.splice(place, 4, 'f', 'i', 'n', 'd')
  expect(hitsOf(['find'], text.join('')).map(([, end]) => end - 4)).toEqual(places)
})
