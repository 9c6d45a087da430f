import { expect, test } from 'vitest'

import { isWithin } from './is-within.ts'

test('a folder holds itself and what is below', () => {
  expect(isWithin('/a', '/a')).toBe(true)
  expect(isWithin('/a', '/a/b')).toBe(true)
  expect(isWithin('/a', '/ab')).toBe(false)
  expect(isWithin('/a/b', '/a')).toBe(false)
})
