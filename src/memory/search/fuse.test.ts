import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { fuse, type RankCandidate } from './fuse.ts'

const order = (candidates: readonly RankCandidate[]): number[] => fuse(candidates, 100).map(({ row }) => row)

describe('the two rankings are weighed against each other', () => {
  /** Other candidates for a similarity to stand out from. */
  const others = Array.from({ length: 50 }, (_, i) => ({ row: 100 + i, similarity: 0.1 + (i % 10) / 100 }))

  test('a text with all words of the query ranks before a similar one', () => {
    expect(
      order([...others, { row: 1, similarity: 0.2 }, { row: 2, lexical: 1.1, similarity: 0.15 }])[0],
    ).toBe(2)
  })

  test('a similar text ranks before one that shares a word by chance', () => {
    expect(
      order([...others, { row: 1, similarity: 0.5 }, { row: 2, lexical: 0.2, similarity: 0.15 }])[0],
    ).toBe(1)
  })

  test('a match in both ranks before a match in either', () => {
    const both = { row: 3, lexical: 0.8, similarity: 0.4 }
    expect(
      order([...others, { row: 1, similarity: 0.4 }, { row: 2, lexical: 0.8, similarity: 0.15 }, both])[0],
    ).toBe(3)
  })
})

describe('a missing signal', () => {
  test('of similarity keeps the order by words', () => {
    expect(
      order([
        { row: 1, lexical: 0.2 },
        { row: 2, lexical: 0.9 },
        { row: 3, lexical: 0.5 },
      ]),
    ).toEqual([2, 3, 1])
  })

  test('of words keeps the order by similarity', () => {
    expect(
      order([
        { row: 1, similarity: 0.1 },
        { row: 2, similarity: 0.8 },
        { row: 3, similarity: -0.5 },
      ]),
    ).toEqual([2, 1, 3])
  })

  test('of a single vector ranks that row neither first nor last', () => {
    expect(
      order([
        { row: 1, lexical: 0.4, similarity: 0.1 },
        { row: 2, lexical: 0.4 },
        { row: 3, lexical: 0.4, similarity: 0.7 },
      ]),
    ).toEqual([3, 2, 1])
  })

  test('because all similarities are equal changes nothing', () => {
    const same = [0.3, 0.1, 0.2].map((lexical, row) => ({ row, lexical, similarity: 0.7 }))
    expect(order(same)).toEqual([0, 2, 1])
  })

  test('on both sides gives an empty result', () => expect(fuse([], 5)).toEqual([]))
})

describe('confidence', () => {
  const pair = (sure: number, unsure: number): RankCandidate[] => [
    { row: 1, lexical: unsure, confidence: 0.1 },
    { row: 2, lexical: sure, confidence: 0.9 },
  ]
  test('breaks ties', () => expect(order(pair(0.5, 0.5))).toEqual([2, 1]))
  test('does not rank a poor match before a good one', () => expect(order(pair(0.3, 0.8))).toEqual([1, 2]))
  test('excludes nothing', () => expect(fuse([{ row: 1, lexical: 0.01, confidence: 0 }], 5)).toHaveLength(1))
})

test('every row is ranked once, with descending scores', () => {
  const share = fc.option(fc.double({ min: 0, max: 3, noNaN: true }), { nil: undefined })
  const cosine = fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined })
  fc.assert(
    fc.property(fc.array(fc.tuple(share, cosine), { maxLength: 200 }), (values) => {
      const candidates = values.map(([lexical, similarity], row) => ({
        row,
        ...(lexical !== undefined && { lexical }),
        ...(similarity !== undefined && { similarity }),
      }))
      const ranked = fuse(candidates, 500)
      expect(new Set(ranked.map(({ row }) => row)).size).toBe(candidates.length)
      const scores = ranked.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
    }),
  )
})
