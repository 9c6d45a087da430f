import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createDeadlines } from './deadlines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each expires at its own time, in any order of creation', () => {
  const { within } = createDeadlines()
  const expired: string[] = []
  within(300, () => expired.push('late'))
  within(100, () => expired.push('early'))
  const cancel = within(200, () => expired.push('cancelled'))
  vi.advanceTimersByTime(99)
  expect(expired).toEqual([])
  vi.advanceTimersByTime(1)
  expect(expired).toEqual(['early'])
  cancel()
  vi.advanceTimersByTime(199)
  expect(expired).toEqual(['early'])
  vi.advanceTimersByTime(1)
  expect(expired).toEqual(['early', 'late'])
})

test("one created while another's timer is running expires in time", () => {
  const { within } = createDeadlines()
  const expired: string[] = []
  within(100, () => expired.push('first'))()
  vi.advanceTimersByTime(50)
  within(100, () => expired.push('second'))
  vi.advanceTimersByTime(99)
  expect(expired).toEqual([])
  vi.advanceTimersByTime(1)
  expect(expired).toEqual(['second'])
})

test('one created while another expires is not forgotten', () => {
  const { within } = createDeadlines()
  const expired: string[] = []
  within(100, () => within(50, () => expired.push('next')))
  within(500, () => expired.push('last'))
  vi.advanceTimersByTime(150)
  expect(expired).toEqual(['next'])
  vi.advanceTimersByTime(350)
  expect(expired).toEqual(['next', 'last'])
})

test("a time beyond the timer's maximum works too", () => {
  const { within } = createDeadlines()
  let isExpired = false
  within(2 ** 31 + 1000, () => (isExpired = true))
  vi.advanceTimersByTime(2 ** 31)
  expect(isExpired).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(isExpired).toBe(true)
})

test('does not keep the process alive when there are no deadlines', () => {
  vi.useRealTimers()
  const { within } = createDeadlines()
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const cancel = within(60_000, () => {})
  expect(timers()).toBe(before + 1)
  cancel()
  expect(timers()).toBe(before)
  const again = within(60_000, () => {})
  expect(timers()).toBe(before + 1)
  again()
})
