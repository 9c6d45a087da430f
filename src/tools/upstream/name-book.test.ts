import { expect, test } from 'vitest'

import { createNames } from './name-book.ts'
import type { UpstreamServer } from './server.ts'

function server(name: string, prefix = true): UpstreamServer {
  return { name, prefix } as UpstreamServer
}

test('a listed name resolves to its tool', () => {
  const names = createNames(() => false)
  expect(names.add(server('notes'), 'write')).toBe('notes__write')
  expect(names.lookup('notes__write')).toEqual({ server: 'notes', name: 'write' })
  expect(names.lookup('notes__read')).toBeUndefined()
})

test('a name claimed by two tools resolves to neither', () => {
  const names = createNames(() => false)
  expect(names.add(server('a', false), 'write')).toBe('write')
  expect(names.add(server('b', false), 'write')).toBeUndefined()
  expect(names.lookup('write')).toBeUndefined()
  expect(names.add(server('a', false), 'write')).toBeUndefined()
  expect(names.add(server('a', false), 'read')).toBe('read')
})

test('reserved names are never listed', () => {
  const names = createNames((name) => name === 'safe_bash')
  expect(names.add(server('a', false), 'safe_bash')).toBeUndefined()
  expect(names.lookup('safe_bash')).toBeUndefined()
})

test('resolves a name from an earlier run, and a shortened one if its tool is known', () => {
  const long = 'a_tool_with_a_name_that_is_much_too_long_for_clients'
  const listed = createNames(() => false).add(server('notes'), long)!
  const fresh = createNames(() => false)
  const servers = [server('other'), server('notes')]
  expect(fresh.guess('notes__write', servers, () => [])).toEqual({ server: 'notes', name: 'write' })
  expect(fresh.guess('elsewhere__write', servers, () => [])).toBeUndefined()
  expect(fresh.guess(listed, servers, ({ name }) => (name === 'notes' ? [long] : []))).toEqual({
    server: 'notes',
    name: long,
  })
})

test('a shortened name can be called by its full name unless two tools share it', () => {
  const long = 'a_tool_with_a_name_that_is_much_too_long_for_clients'
  const names = createNames(() => false)
  const target = { server: 'notes', name: long }
  expect(names.lookup(names.add(server('notes'), long)!)).toEqual(target)
  expect(names.lookup(`notes__${long}`)).toEqual(target)
  expect(createNames(() => false).guess(`notes__${long}`, [server('notes')], () => [])).toEqual(target)
  expect(names.lookup(long)).toBeUndefined()
  const one = names.add(server('one', false), long)!
  expect(names.lookup(long)).toEqual({ server: 'one', name: long })
  const two = names.add(server('two', false), long)!
  expect(names.lookup(long)).toBeUndefined()
  expect([names.lookup(one)?.server, names.lookup(two)?.server]).toEqual(['one', 'two'])
})
