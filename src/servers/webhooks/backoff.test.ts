import { expect, test } from 'vitest'

import { pauseAfter } from './backoff.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const pauses = (chance: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7, 8, 60].map(
    (attempts) => pauseAfter({ attempts }, { now, random: () => chance }) / 1000,
  )

test('each pause is four times the previous one, up to six hours, and half of it is random', () => {
  expect(pauses(1)).toEqual([5, 20, 80, 320, 1280, 5120, 20_480, 21_600, 21_600])
  expect(pauses(0)).toEqual(pauses(1).map((pause) => pause / 2))
})

test.each([
  ['seconds', '120', 120],
  ['a date', 'Sun, 15 Nov 2026 12:10:00 GMT', 600],
  ['less than we would wait anyway', '1', 5],
  ['a date that is past', 'Sun, 15 Nov 2026 11:00:00 GMT', 5],
  ['more than a day', '999999999', 86_400],
  ['nonsense', 'soon', 5],
  ['a negative number', '-5', 5],
])('a server that asks for %s', (_, retryAfter, seconds) => {
  expect(pauseAfter({ attempts: 1, retryAfter }, { now, random: () => 1 })).toBe(seconds * 1000)
})
