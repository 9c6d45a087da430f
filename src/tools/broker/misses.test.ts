import { expect, test } from 'vitest'

import { createMisses, maxTotal, maxPerCaller, type Misses } from './misses.ts'

function setUp(): {
  misses: Misses
  wait: (ms: number) => void
  miss: (caller: string, times: number) => void
} {
  let now = 1_000_000
  const misses = createMisses(() => now)
  return {
    misses,
    wait: (ms) => (now += ms),
    miss(caller, times) {
      for (let count = 0; count < times; count++) misses.add(caller)
    },
  }
}

test('a caller with too many wrong keys must wait, and nobody else', () => {
  const { misses, wait, miss } = setUp()
  miss('a', maxPerCaller - 1)
  expect(misses.refusalFor('a')).toBeUndefined()
  wait(10_000)
  miss('a', 1)
  expect(misses.refusalFor('a')?.toObject()).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Agent a reached its limit of 5 wrong keys per minute',
    retry_after_ms: 50_000,
  })
  expect(misses.refusalFor('b')).toBeUndefined()
  wait(49_999)
  expect(misses.refusalFor('a')).toBeDefined()
  wait(1)
  expect(misses.refusalFor('a')).toBeUndefined()
})

test('many names do not help', () => {
  const { misses, wait, miss } = setUp()
  for (let caller = 0; caller < maxTotal; caller++) {
    expect(misses.refusalFor(`name-${caller}`)).toBeUndefined()
    miss(`name-${caller}`, 1)
  }
  expect(misses.refusalFor('fresh')?.message).toContain('20 wrong keys per minute of all agents together')
  wait(60_000)
  expect(misses.refusalFor('fresh')).toBeUndefined()
})

test('a clock that was set back does not lock anybody out', () => {
  const { misses, wait, miss } = setUp()
  miss('a', maxPerCaller)
  wait(-3_600_000)
  expect(misses.refusalFor('a')).toBeUndefined()
})
