import { expect, test } from 'vitest'

import { fnmatch } from './fnmatch.ts'

test.each([
  ['*', ''],
  ['*', 'anything'],
  ['get_*', 'get_user'],
  ['*_query', 'read_query'],
  ['a*b*c', 'a-b-b-c'],
  ['get_?', 'get_a'],
  ['get_[ab]', 'get_b'],
  ['get_[a-c]*', 'get_cat'],
  ['get_[!a]', 'get_b'],
  ['[]]', ']'],
  ['plain', 'plain'],
])('%s matches %s', (pattern, name) => {
  expect(fnmatch(pattern, name)).toBe(true)
})

test.each([
  ['get_*', 'set_user'],
  ['get_?', 'get_'],
  ['get_[ab]', 'get_c'],
  ['get_[!a]', 'get_a'],
  ['Get_*', 'get_user'],
  ['a*b*c', 'a-c-b'],
  ['plain', 'plainer'],
])('%s does not match %s', (pattern, name) => {
  expect(fnmatch(pattern, name)).toBe(false)
})

test('matches many stars in bounded time', () => {
  expect(fnmatch('*a'.repeat(50), `${'a'.repeat(5000)}b`)).toBe(false)
})

test('rejects overlong patterns immediately', () => {
  expect(fnmatch('['.repeat(1_000_000), 'name')).toBe(false)
  expect(fnmatch('*'.repeat(1_000_000), 'name')).toBe(false)
})
