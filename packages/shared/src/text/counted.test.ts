import { expect, test } from 'vitest'

import { counted } from './counted.ts'

test('only one of something is singular', () => {
  expect([0, 1, 2].map((count) => counted(count, 'secret'))).toEqual(['0 secrets', '1 secret', '2 secrets'])
  expect([1, 2].map((count) => counted(count, 'memory', 'memories'))).toEqual(['1 memory', '2 memories'])
})
