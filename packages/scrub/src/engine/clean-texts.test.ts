import { expect, test } from 'vitest'

import { createCleanTexts } from './clean-texts.ts'
import { createScrubber } from './scrubber.ts'

const session = { tenant: 'local', session: 's' }

test('a text is known by the key it stood under, and by none', () => {
  const clean = createCleanTexts()
  clean.add('blue', 'colour')
  expect(clean.has('blue', 'colour')).toBe(true)
  expect(clean.has('blue', 'password')).toBe(false)
  expect(clean.has('blue', undefined)).toBe(false)
  clean.add('blue', undefined)
  expect(clean.has('blue', undefined)).toBe(true)
})

test('long texts are not kept, and never more than a few thousand', () => {
  const clean = createCleanTexts()
  clean.add('x'.repeat(65), undefined)
  expect(clean.has('x'.repeat(65), undefined)).toBe(false)
  for (let n = 0; n < 10_000; n++) clean.add(`text ${n}`, undefined)
  const kept = Array.from({ length: 10_000 }, (_, n) => clean.has(`text ${n}`, undefined)).filter(Boolean)
  expect(kept.length).toBeLessThanOrEqual(2000)
  expect(clean.has('text 9999', undefined)).toBe(true)
})

test('a text that was clean is a secret once its value is one', () => {
  const scrubber = createScrubber()
  const value = 'Tr0ub4dor-and-3-horses'
  expect(scrubber.scrub(value, session).findings).toEqual([])
  expect(scrubber.scrub(value, session, 'note').findings).toEqual([])
  scrubber.know(value, 'told')
  expect(scrubber.scrub(value, session).text).toBe('[SECRET_1]')
  expect(scrubber.scrub(value, session, 'note').text).toBe('[SECRET_1]')
})

test('what one text gives away is found in texts that were clean before', () => {
  const scrubber = createScrubber()
  const value = 'Tr0ub4dor-and-3-horses'
  expect(scrubber.scrub(value, session).findings).toEqual([])
  expect(scrubber.scrub(`password=${value}`, session).findings).toHaveLength(1)
  expect(scrubber.scrub(value, session).text).toBe('[SECRET_1]')
})

test('what another process found counts too', () => {
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
