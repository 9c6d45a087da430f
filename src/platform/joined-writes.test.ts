import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { joinWrites } from './joined-writes.ts'

test('what comes together is one write, what comes later another', async () => {
  const written: string[] = []
  const writes = joinWrites((text) => written.push(text))
  writes.add('a')
  writes.add('b')
  expect(writes.due()).toBe(2)
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual(['ab'])
  writes.add('c')
  writes.flush()
  await nextTurn()
  expect(written).toEqual(['ab', 'c'])
  expect(writes.due()).toBe(0)
})
