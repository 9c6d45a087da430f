import { expect, test } from 'vitest'

import { createNames } from './name-book.ts'
import type { UpstreamServer } from './server.ts'

const server = (name: string, prefix = true): UpstreamServer => ({ name, prefix }) as UpstreamServer
const long = 'a_name_that_is_far_too_long_for_the_clients_we_know'

test('what was shortened to be listed is known by its whole name, too', () => {
  const names = createNames(() => false)
  const listed = names.enter(server('notes'), long)!
  expect(listed.length).toBeLessThanOrEqual(33)
  const target = { server: 'notes', name: long }
  expect(names.lookup(listed)).toEqual(target)
  expect(names.lookup(`notes__${long}`)).toEqual(target)
  expect(names.lookup(long)).toBeUndefined()
  names.enter(server('plain', false), long)
  expect(names.lookup(long)).toEqual({ server: 'plain', name: long })
})

test('a whole name that two have is nobody’s, and their short names still are', () => {
  const names = createNames(() => false)
  const one = names.enter(server('one', false), long)!
  const two = names.enter(server('two', false), long)!
  expect(one).not.toBe(two)
  expect(names.lookup(long)).toBeUndefined()
  expect([names.lookup(one)?.server, names.lookup(two)?.server]).toEqual(['one', 'two'])
})

test('a name of our own is never anybody else’s', () => {
  const names = createNames((name) => name === 'safe_bash')
  expect(names.enter(server('evil', false), 'safe_bash')).toBeUndefined()
  expect(names.lookup('safe_bash')).toBeUndefined()
})

test('either name is understood before anything was listed', () => {
  const names = createNames(() => false)
  const servers = [server('notes')]
  const target = { server: 'notes', name: long }
  expect(names.guess(`notes__${long}`, servers, () => [])).toEqual(target)
  const listed = createNames(() => false).enter(server('notes'), long)!
  expect(names.guess(listed, servers, () => [long])).toEqual(target)
  expect(names.guess('notes__short', servers, () => [])).toEqual({ server: 'notes', name: 'short' })
  expect(names.guess('other__short', servers, () => [])).toBeUndefined()
})
