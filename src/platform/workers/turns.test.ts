import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createTurns } from './turns.ts'

function setUp() {
  const { take } = createTurns()
  const order: string[] = []
  const work = async (name: string, caller: string): Promise<void> => {
    await take(caller)
    order.push(name)
  }
  return { take, order, work }
}

test('callers take turns, and each is served in order', async () => {
  const { order, work } = setUp()
  await Promise.all([work('a1', 'a'), work('a2', 'a'), work('a3', 'a'), work('b1', 'b')])
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3'])
  await work('later', 'a')
  expect(order).toHaveLength(5)
})

test('other work runs before the first piece and between two', async () => {
  const { order, work } = setUp()
  const other = async (name: string): Promise<void> => {
    await nextTurn()
    order.push(name)
  }
  const before = other('before')
  const pieces = [work('1', 'a').then(() => other('between')), work('2', 'a')]
  await Promise.all([before, ...pieces])
  expect(order).toEqual(['before', '1', 'between', '2'])
})
