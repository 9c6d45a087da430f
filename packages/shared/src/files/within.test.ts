import { expect, test } from 'vitest'

import { isWithin, relativeWithin } from './within.ts'

test('a folder contains itself and everything below', () => {
  expect(isWithin('/a', '/a')).toBe(true)
  expect(isWithin('/a', '/a/b')).toBe(true)
  expect(isWithin('/a', '/ab')).toBe(false)
  expect(isWithin('/a/b', '/a')).toBe(false)
})

test('relativeWithin returns relative paths, and undefined for paths outside', () => {
  expect(relativeWithin('/a', '/a/b/c')).toBe('b/c')
  expect(relativeWithin('/a', '/a')).toBe('')
  expect(relativeWithin('/', '/a')).toBe('a')
  expect(relativeWithin('/a', '/a/..b')).toBe('..b')
  expect(relativeWithin('/a/b', '/a/c')).toBeUndefined()
  expect(relativeWithin('/a/b', '/a')).toBeUndefined()
})
