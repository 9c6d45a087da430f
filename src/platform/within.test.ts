import { expect, test } from 'vitest'

import { isWithin, wayInto } from './within.ts'

test('a folder holds itself and what is below', () => {
  expect(isWithin('/a', '/a')).toBe(true)
  expect(isWithin('/a', '/a/b')).toBe(true)
  expect(isWithin('/a', '/ab')).toBe(false)
  expect(isWithin('/a/b', '/a')).toBe(false)
})

test('the way to what is below is told without the folder, and there is none to anything else', () => {
  expect(wayInto('/a', '/a/b/c')).toBe('b/c')
  expect(wayInto('/a', '/a')).toBe('')
  expect(wayInto('/', '/a')).toBe('a')
  expect(wayInto('/a', '/a/..b')).toBe('..b')
  expect(wayInto('/a/b', '/a/c')).toBeUndefined()
  expect(wayInto('/a/b', '/a')).toBeUndefined()
})
