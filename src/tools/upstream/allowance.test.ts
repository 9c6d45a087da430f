import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createAllowance, createThrottle } from './allowance.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an allowance permits a burst, then a rate', () => {
  let now = 0
  const may = createAllowance(3, 2, () => now)
  const count = (tries: number): number => Array.from({ length: tries }, may).filter(Boolean).length
  expect(count(10)).toBe(3)
  now = 500
  expect(count(10)).toBe(1)
  now = 1500
  expect(count(10)).toBe(2)
  now = 1_000_000
  expect(count(10)).toBe(3)
})

test('a throttle runs the first and the last of a kind', () => {
  const done: string[] = []
  const run = createThrottle(100, 2)
  for (let count = 0; count < 5; count += 1) {
    run('a', () => done.push(`a${count}`))
    run('b', () => done.push(`b${count}`))
    run('too many', () => done.push('never'))
  }
  expect(done).toEqual(['a0', 'b0'])
  vi.advanceTimersByTime(100)
  expect(done).toEqual(['a0', 'b0', 'a4', 'b4'])
  run('a', () => done.push('a5'))
  vi.advanceTimersByTime(100)
  expect(done.slice(4)).toEqual(['a5'])
  vi.advanceTimersByTime(1000)
  run('a', () => done.push('a6'))
  expect(done.slice(5)).toEqual(['a6'])
})
