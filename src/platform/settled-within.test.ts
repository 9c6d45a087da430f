import { expect, test } from 'vitest'

import { settledWithin } from './settled-within.ts'

test('reports whether a promise settled in time, fulfilled or rejected', async () => {
  expect(await settledWithin(Promise.resolve(1), 60_000)).toBe(true)
  expect(await settledWithin(Promise.reject(new Error('no')), 60_000)).toBe(true)
  expect(await settledWithin(new Promise(() => {}), 1)).toBe(false)
})
