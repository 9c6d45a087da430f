import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { partitionPoint } from './partition-point.ts'

test('is where a scan from the start would end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 })),
      fc.integer({ min: -1, max: 10 }),
      (items, limit) => {
        const sorted = items.toSorted((one, other) => one - other)
        const first = sorted.findIndex((item) => item >= limit)
        expect(partitionPoint(sorted.length, (index) => sorted[index]! < limit)).toBe(
          first === -1 ? sorted.length : first,
        )
      },
    ),
  )
})
