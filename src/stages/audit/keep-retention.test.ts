import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { keepRetention } from './keep-retention.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const day = 86_400_000

test('prunes soon after the start, then four times a day, until stopped', () => {
  const asked: number[] = []
  const prune = [(before: number) => asked.push(before)]
  const stop = keepRetention({ days: 30, clock: () => 100 * day, report: () => {}, prune })
  expect(asked).toEqual([])
  vi.advanceTimersByTime(5000)
  expect(asked).toEqual([70 * day])
  vi.advanceTimersByTime(day)
  expect(asked).toHaveLength(5)
  stop()
  vi.advanceTimersByTime(day)
  expect(asked).toHaveLength(5)
})

test('a failed pruning is reported and retried', () => {
  const said: string[] = []
  const prune = [
    (): number => {
      throw new Error('disk full')
    },
  ]
  const stop = keepRetention({ days: 1, clock: Date.now, report: (_, message) => said.push(message), prune })
  vi.advanceTimersByTime(5000 + day / 4)
  expect(said).toHaveLength(2)
  stop()
})
