import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { limitConcurrency } from './start-connection.ts'

test('limits concurrency and runs in order, also after a failure', async () => {
  const inTurn = limitConcurrency(2)
  const running = new Set<number>()
  const ended: number[] = []
  let most = 0
  const work = async (number: number): Promise<void> => {
    running.add(number)
    most = Math.max(most, running.size)
    await nextTurn()
    running.delete(number)
    ended.push(number)
    if (number % 3 === 0) throw new Error(`number ${number}`)
  }
  const results = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => inTurn(() => work(at))))
  expect(most).toBe(2)
  expect(ended).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3)
})
