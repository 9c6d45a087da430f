import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { shareOut } from './share-out.ts'

test('the largest are cut to the same size, small ones stay complete', () => {
  expect(shareOut([500, 10, 900, 20], { available: 430, perCut: 0 })).toBe(200)
  expect(shareOut([900, 10], { available: 430, perCut: 20 })).toBe(400)
})

test('too many to cut returns undefined', () => {
  expect(
    shareOut(
      Array.from({ length: 9 }, () => 100),
      { available: 450, perCut: 0 },
    ),
  ).toBeUndefined()
  expect(
    shareOut(
      Array.from({ length: 8 }, () => 100),
      { available: 400, perCut: 0 },
    ),
  ).toBe(50)
  expect(shareOut([], { available: 400, perCut: 0 })).toBeUndefined()
})

test('never distributes more than available', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1000), { maxLength: 20 }),
      fc.nat(3000),
      fc.nat(50),
      (sizes, available, perCut) => {
        const room = shareOut(sizes, { available, perCut })
        if (room === undefined || sizes.every((size) => size <= room)) return
        const used = sizes
          .map((size) => (size > room ? room + perCut : size))
          .reduce((sum, size) => sum + size, 0)
        expect(used).toBeLessThanOrEqual(available)
      },
    ),
  )
})
