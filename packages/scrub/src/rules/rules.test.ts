import { describe, expect, test } from 'vitest'

import { otherNames } from '../../test/other-names.ts'
import { waysToTry } from '@contextd/shared/testing/pattern-safety'
import { defaultRules, structuralRules } from './index.ts'
import type { SecretRule } from './rule.ts'

test('no two rules have the same id', () => {
  const ids = [...defaultRules, ...structuralRules].map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
})

test('every alias maps to a rule, and is not a rule id itself', () => {
  const ids = new Set([...defaultRules, ...structuralRules].map(({ id }) => id))
  expect(Object.entries(otherNames).filter(([name, id]) => ids.has(name) || !ids.has(id))).toEqual([])
})

test('keywords are lower case, ASCII and at least two characters long', () => {
  const wrong = defaultRules.flatMap(({ id, keywords }) =>
    keywords
      .filter((keyword) => !/^[\x20-\x40\x5b-\x7e\n\t]{2,}$/.test(keyword))
      .map((keyword) => [id, keyword]),
  )
  expect(wrong).toEqual([])
})

const isBounded = ({ by, pattern }: SecretRule['recognition']): boolean =>
  by !== 'prefix' && !pattern.includes('(?<secret>')

describe('patterns and backtracking', () => {
  test('every pattern has few ways to match at one position', () => {
    const risky = defaultRules
      .map(({ id, recognition }) => ({ id, ways: waysToTry(recognition.pattern, isBounded(recognition)) }))
      .filter(({ ways }) => ways > 20_000)
    expect(risky).toEqual([])
  })

  test.each([
    ['a nested repeat', '(?:a+)+b'],
    ['overlapping repeats', 'a{0,500}a{0,500}a{0,500}b'],
    ['repeated overlapping branches', '(?:a|a){40}b'],
  ])('the check rejects %s', (_, pattern) => {
    expect(waysToTry(pattern)).toBeGreaterThan(20_000)
  })

  test.each([
    ['a fixed length', 'ghp_[a-z]{36}', 1],
    ['a repeat followed by something it cannot match', '[a-z]+:[a-z]+', 1],
    ['a bounded repeat followed by something it can match', '[a-z]{0,9}z', 10],
  ])('the check counts the ways for %s', (_, pattern, count) => {
    expect(waysToTry(pattern)).toBe(count)
  })
})
