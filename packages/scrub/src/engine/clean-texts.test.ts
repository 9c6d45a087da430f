import { expect, test } from 'vitest'

import { createCleanTexts } from './clean-texts.ts'
import { createScrubber } from './scrubber.ts'

const session = { tenant: 'local', session: 's' }

test('stores texts by their key, or without one', () => {
  const clean = createCleanTexts()
  clean.add('blue', 'colour')
  expect(clean.has('blue', 'colour')).toBe(true)
  expect(clean.has('blue', 'password')).toBe(false)
  expect(clean.has('blue', undefined)).toBe(false)
  clean.add('blue', undefined)
  expect(clean.has('blue', undefined)).toBe(true)
})

test('stores no long texts, and at most two thousand', () => {
  const clean = createCleanTexts()
  clean.add('x'.repeat(65), undefined)
  expect(clean.has('x'.repeat(65), undefined)).toBe(false)
  for (let n = 0; n < 10_000; n++) clean.add(`text ${n}`, undefined)
  const stored = Array.from({ length: 10_000 }, (_, n) => clean.has(`text ${n}`, undefined)).filter(Boolean)
  expect(stored.length).toBeLessThanOrEqual(2000)
  expect(clean.has('text 9999', undefined)).toBe(true)
})

test('a clean text becomes a secret once its value is known', () => {
  const scrubber = createScrubber()
  const value = 'Tr0ub4dor-and-3-horses'
  expect(scrubber.scrub(value, session).findings).toEqual([])
  expect(scrubber.scrub(value, session, 'note').findings).toEqual([])
  scrubber.know(value, 'set')
  expect(scrubber.scrub(value, session).text).toBe('[SECRET_1]')
  expect(scrubber.scrub(value, session, 'note').text).toBe('[SECRET_1]')
})

test('a value revealed by one text is found in texts that were clean before', () => {
  const scrubber = createScrubber()
  const value = 'Tr0ub4dor-and-3-horses'
  expect(scrubber.scrub(value, session).findings).toEqual([])
  expect(scrubber.scrub(`password=${value}`, session).findings).toHaveLength(1)
  expect(scrubber.scrub(value, session).text).toBe('[SECRET_1]')
})

test('values found by another process are masked as well', () => {
  const value = 'Tr0ub4dor-and-3-horses'
  const news = [[], [], [{ value, rule: 'theirs' }]]
  const scrubber = createScrubber({
    tokens: {
      tokensFor: (_, found) => found.map(() => '[SECRET_1]'),
      valueOf: () => undefined,
      newlyKnown: () => news.shift() ?? [],
      endSession: () => {},
    },
  })
  expect(scrubber.scrub(value, session).text).toBe(value)
  expect(scrubber.scrub(value, session).text).toBe(value)
  expect(scrubber.scrub(value, session).text).toBe('[SECRET_1]')
})
