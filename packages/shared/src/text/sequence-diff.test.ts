import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import { commonRuns, diffRows, linesWithEnds } from './sequence-diff.ts'

/** The length of a longest common subsequence, from the table of all pairs. */
function sharedLength(one: readonly string[], other: readonly string[]): number {
  let row = other.map(() => 0)
  for (const item of one) {
    const next: number[] = []
    for (const [at, candidate] of other.entries()) {
      const diagonal = row[at - 1] ?? 0
      next.push(item === candidate ? diagonal + 1 : Math.max(row[at]!, next[at - 1] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Throws unless the runs are equal in both, in order and not adjacent. */
function countShared(from: readonly string[], to: readonly string[]): number {
  let [old, next, shared] = [0, 0, 0]
  for (const [index, run] of commonRuns(from, to).entries()) {
    expect(run.length).toBeGreaterThan(0)
    expect(Math.min(run.from - old, run.to - next)).toBeGreaterThanOrEqual(0)
    if (index > 0) expect(run.from - old + run.to - next).toBeGreaterThan(0)
    expect(from.slice(run.from, run.from + run.length)).toEqual(to.slice(run.to, run.to + run.length))
    old = run.from + run.length
    next = run.to + run.length
    shared += run.length
  }
  expect([old <= from.length, next <= to.length]).toEqual([true, true])
  return shared
}

const numbered = (word: string, length: number): string[] =>
  Array.from({ length }, (_, index) => `${word} ${index}`)

describe('commonRuns', () => {
  it('shares as much as the table of all pairs', () => {
    const items = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
    fc.assert(
      fc.property(items, items, (from, to) => {
        expect(countShared(from, to)).toBe(sharedLength(from, to))
      }),
      { numRuns: 2000 },
    )
  })

  it('shares everything that an edit left in place', () => {
    const edited = fc.array(fc.constantFrom('keep', 'remove', 'add'), { maxLength: 200 })
    fc.assert(
      fc.property(edited, (edits) => {
        const from = edits.flatMap((edit, index) => (edit === 'add' ? [] : [`${index}`]))
        const to = edits.flatMap((edit, index) => (edit === 'remove' ? [] : [`${index}`]))
        expect(countShared(from, to)).toBe(edits.filter((edit) => edit === 'keep').length)
      }),
    )
  })

  it('matches the first of several equal items', () => {
    expect(commonRuns(['a', 'x', 'b', 'c'], ['a', 'y', 'x', 'x', 'd', 'c'])).toEqual([
      { from: 0, to: 0, length: 1 },
      { from: 1, to: 2, length: 1 },
      { from: 3, to: 5, length: 1 },
    ])
  })
})

describe('commonRuns of sequences that are long and too different', () => {
  const blanks = (lines: readonly string[]): string[] => lines.flatMap((line) => [line, ''])

  it('aligns around unique items', () => {
    const from = blanks(numbered('line', 20_000))
    const to = from.map((line, index) => (index % 20 === 0 ? `${line}!` : line))
    expect(countShared(from, to)).toBe(38_000)
  })

  it('keeps the longest order of items that moved', () => {
    const [early, late] = [numbered('early', 3000), numbered('late', 4000)]
    expect(countShared([...early, ...late, 'end'], ['start', ...late, ...early])).toBe(4000)
  })

  it('shares nothing without a unique item in both', () => {
    const repeated = ['a', 'b']
    const [from, to] = [numbered('old', 3000), numbered('new', 3000)]
    expect(countShared([...from, ...repeated, ...from], [...to, ...repeated, ...to])).toBe(2)
    expect(countShared([...from, ...repeated, ...from, 'a', 'b', 'x'], [...to, ...repeated, ...to])).toBe(0)
  })

  it('is valid for any', () => {
    const items = fc.array(fc.nat(9000).map(String), { minLength: 5000, maxLength: 5000 })
    fc.assert(
      fc.property(items, items, (from, to) => {
        expect(countShared(from, to)).toBeGreaterThan(0)
      }),
      { numRuns: 3 },
    )
  })
})

describe('diffRows', () => {
  it('shows removed items before those added in their place', () => {
    const rows = diffRows(['a', 'old', 'older', 'b'], ['a', 'new', 'b', 'c'])
    expect(rows.map(({ kind, text }) => kind + text)).toEqual([' a', '-old', '-older', '+new', ' b', '+c'])
  })

  it('contains both sequences', () => {
    const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 })
    fc.assert(
      fc.property(items, items, (from, to) => {
        const rows = diffRows(from, to)
        const side = (other: string): string[] =>
          rows.filter(({ kind }) => kind !== other).map(({ text }) => text)
        expect([side('+'), side('-')]).toEqual([from, to])
      }),
    )
  })
})

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a\n']],
  ['\n\na\r\nb', ['\n', '\n', 'a\r\n', 'b']],
])('the lines of %j', (text, lines) => {
  expect(linesWithEnds(text)).toEqual(lines)
})
