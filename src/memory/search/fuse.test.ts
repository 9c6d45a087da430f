import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { fuse, type RankCandidate } from './fuse.ts'

const order = (candidates: readonly RankCandidate[]): number[] => fuse(candidates, 100).map(({ row }) => row)

describe('what is high in one list is weighed against the other', () => {
  /** Enough others for a similarity to stand out among. */
  const others = Array.from({ length: 50 }, (_, i) => ({ row: 100 + i, similarity: 0.1 + (i % 10) / 100 }))

  test('a text that says all of the query goes before one that is close to it', () => {
    expect(
      order([...others, { row: 1, similarity: 0.2 }, { row: 2, lexical: 1.1, similarity: 0.15 }])[0],
    ).toBe(2)
  })

  test('a text that is close goes before one that shares a word by chance', () => {
    expect(
      order([...others, { row: 1, similarity: 0.5 }, { row: 2, lexical: 0.2, similarity: 0.15 }])[0],
    ).toBe(1)
  })

  test('both together go before either', () => {
    const both = { row: 3, lexical: 0.8, similarity: 0.4 }
    expect(
      order([...others, { row: 1, similarity: 0.4 }, { row: 2, lexical: 0.8, similarity: 0.15 }, both])[0],
    ).toBe(3)
  })
})

describe('a signal that is missing', () => {
  test('of meaning leaves the order of the words', () => {
    expect(
      order([
        { row: 1, lexical: 0.2 },
        { row: 2, lexical: 0.9 },
        { row: 3, lexical: 0.5 },
      ]),
    ).toEqual([2, 3, 1])
  })

  test('of words leaves the order of meaning', () => {
    expect(
      order([
        { row: 1, similarity: 0.1 },
        { row: 2, similarity: 0.8 },
        { row: 3, similarity: -0.5 },
      ]),
    ).toEqual([2, 1, 3])
  })

  test('of one vector puts that row neither first nor last by it', () => {
    expect(
      order([
        { row: 1, lexical: 0.4, similarity: 0.1 },
        { row: 2, lexical: 0.4 },
        { row: 3, lexical: 0.4, similarity: 0.7 },
      ]),
    ).toEqual([3, 2, 1])
  })

  test('because all similarities are the same changes nothing', () => {
    const same = [0.3, 0.1, 0.2].map((lexical, row) => ({ row, lexical, similarity: 0.7 }))
    expect(order(same)).toEqual([0, 2, 1])
  })

  test('altogether is an empty answer', () => expect(fuse([], 5)).toEqual([]))
})

describe('confidence', () => {
  const pair = (sure: number, unsure: number): RankCandidate[] => [
    { row: 1, lexical: unsure, confidence: 0.1 },
    { row: 2, lexical: sure, confidence: 0.9 },
  ]
  test('decides between equals', () => expect(order(pair(0.5, 0.5))).toEqual([2, 1]))
  test('does not put what hardly fits before what does', () => expect(order(pair(0.3, 0.8))).toEqual([1, 2]))
  test('leaves nothing out', () =>
    expect(fuse([{ row: 1, lexical: 0.01, confidence: 0 }], 5)).toHaveLength(1))
})

test('every row is ranked once, with a score that falls', () => {
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
