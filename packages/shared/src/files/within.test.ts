import { expect, test } from 'vitest'

import { isWithin, relativeWithin } from './within.ts'

test('a folder holds itself and what is below', () => {
  expect(isWithin('/a', '/a')).toBe(true)
  expect(isWithin('/a', '/a/b')).toBe(true)
  expect(isWithin('/a', '/ab')).toBe(false)
  expect(isWithin('/a/b', '/a')).toBe(false)
})

test('the way to what is below is told without the folder, and there is none to anything else', () => {
  expect(relativeWithin('/a', '/a/b/c')).toBe('b/c')
  expect(relativeWithin('/a', '/a')).toBe('')
  expect(relativeWithin('/', '/a')).toBe('a')
  expect(relativeWithin('/a', '/a/..b')).toBe('..b')
  expect(relativeWithin('/a/b', '/a/c')).toBeUndefined()
  expect(relativeWithin('/a/b', '/a')).toBeUndefined()
})
