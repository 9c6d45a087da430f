import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { joinWrites } from './joined-writes.ts'

test('texts added in the same tick become one write, later ones another', async () => {
  const written: string[] = []
  const writes = joinWrites((text) => written.push(text))
  writes.add('a')
  writes.add('b')
  expect(writes.pending()).toBe(2)
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual(['ab'])
  writes.add('c')
  writes.flush()
  await nextTurn()
  expect(written).toEqual(['ab', 'c'])
  expect(writes.pending()).toBe(0)
})
