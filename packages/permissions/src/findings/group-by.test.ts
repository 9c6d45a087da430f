import { expect, test } from 'vitest'

import { groupBy } from './group-by.ts'

test('groups are in the order of their first items, and items keep their order', () => {
  const groups = groupBy(['beta', 'alpha', 'bravo', 'bee'], (word) => word[0]!)
  expect([...groups]).toEqual([
    ['b', ['beta', 'bravo', 'bee']],
    ['a', ['alpha']],
  ])
})
