import { expect, test } from 'vitest'

import { argumentsForRecord, findByHash, hashOfKey, recordOfHash } from './key-hash.ts'

const hashKey = Buffer.alloc(32, 7)
const record = (key: string, by = hashKey): string => recordOfHash(hashOfKey(key, by))

test('a hash distinguishes keys, and requires the hash key', () => {
  expect(record('one')).toMatch(/^hash:[0-9a-f]{16}$/)
  expect(record('one')).toBe(record('one'))
  expect(record('one')).not.toBe(record('two'))
  expect(record('one')).not.toBe(record('one', Buffer.alloc(32, 8)))
})

test.each([
  [{ key: 'ctx_secret' }, { context: record('ctx_secret') }],
  [{}, {}],
  [{ kee: 'ctx_secret' }, { other_fields: 1 }],
  [
    { key: ['ctx_secret'], ctx_secret: { deep: 'ctx_secret' } },
    { context: '(not text)', other_fields: 1 },
  ],
])('%j: nothing of a key is written down', (args, shown) => {
  expect(argumentsForRecord(args, hashKey)).toEqual(shown)
  expect(JSON.stringify(shown)).not.toContain('secret')
})

test('every entry is compared, even after a match', () => {
  const looked: string[] = []
  const entries = ['a', 'b', 'c'].map((name) => ({
    name,
    get key() {
      looked.push(name)
      return `key-${name}`
    },
  }))
  const find = (key: string): string | undefined =>
    findByHash(entries, hashOfKey(key, hashKey), hashKey)?.name
  expect(find('key-a')).toBe('a')
  expect(looked).toEqual(['a', 'b', 'c'])
  expect(find('key-c')).toBe('c')
  expect(find('key-')).toBeUndefined()
  expect(looked).toHaveLength(9)
})
