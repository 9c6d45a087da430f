import { expect, test } from 'vitest'

import { createFairQueue } from './fair-queue.ts'

const wide = { maxItems: 100, maxSize: 1000 }
const anyone = (): boolean => true

test('callers take turns, each in its own order', () => {
  const queue = createFairQueue<string>({ perCaller: wide, total: wide })
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', 1, item)
  for (const item of ['b1', 'b2']) queue.add('b', 1, item)
  const served = Array.from({ length: 6 }, () => queue.take(anyone)?.item)
  expect(served).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', undefined])
})

test('a caller that may not run now keeps its turn', () => {
  const queue = createFairQueue<string>({ perCaller: wide, total: wide })
  queue.add('a', 1, 'a1')
  queue.add('b', 1, 'b1')
  expect(queue.take((caller) => caller !== 'a')).toEqual({ caller: 'b', item: 'b1' })
  expect(queue.take((caller) => caller === 'b')).toBeUndefined()
  expect(queue.take(anyone)?.item).toBe('a1')
})

test.each([
  ['items', { maxItems: 2, maxSize: 1000 }],
  ['size', { maxItems: 100, maxSize: 20 }],
])('a caller with too many %s is rejected, another is not', (_, perCaller) => {
  const queue = createFairQueue<number>({ perCaller, total: wide })
  expect([1, 2, 3].map((item) => queue.add('greedy', 10, item))).toEqual([true, true, false])
  expect(queue.add('other', 10, 4)).toBe(true)
  queue.take((caller) => caller === 'greedy')
  expect(queue.add('greedy', 10, 5)).toBe(true)
})

test('the whole queue is bounded too', () => {
  const queue = createFairQueue<number>({ perCaller: wide, total: { maxItems: 2, maxSize: 1000 } })
  expect(['a', 'b', 'c'].map((caller, item) => queue.add(caller, 1, item))).toEqual([true, true, false])
})

test('an item larger than the limit waits alone', () => {
  const queue = createFairQueue<number>({ perCaller: wide, total: wide })
  expect(queue.add('a', 5000, 1)).toBe(true)
  expect(queue.add('a', 1, 2)).toBe(false)
})

test('a removed item is not served and frees its space', () => {
  const queue = createFairQueue<string>({ perCaller: { maxItems: 2, maxSize: 1000 }, total: wide })
  queue.add('a', 1, 'a1')
  queue.add('a', 1, 'a2')
  expect(queue.remove('a', 'a1')).toBe(true)
  expect(queue.remove('a', 'a1')).toBe(false)
  expect(queue.add('a', 1, 'a3')).toBe(true)
  expect([queue.take(anyone)?.item, queue.take(anyone)?.item]).toEqual(['a2', 'a3'])
})
