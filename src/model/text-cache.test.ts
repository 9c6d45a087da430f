import { expect, test } from 'vitest'

import { createTextCache } from './text-cache.ts'

const knowledge = { secrets: 1, privacy: 0 }
const owner = { session: 's1', reader: 'main' }
const masked = { literal: '"[SECRET_1]"', rules: ['r'] }

test('remembers what became of a string at its place', () => {
  const cache = createTextCache()
  const strings = cache.of(owner, knowledge)
  strings.set('text', '"a"', masked)
  strings.set('text', '"b"', null)
  const again = cache.of({ ...owner }, { ...knowledge })
  expect(again.get('text', '"a"')).toBe(masked)
  expect(again.get('text', '"b"')).toBe(null)
  expect(again.get('text', '"c"')).toBe(undefined)
  expect(again.get('json', '"a"')).toBe(undefined)
})

test.each([
  ['session', { ...owner, session: 's2' }, knowledge],
  ['reader', { ...owner, reader: 'other' }, knowledge],
  ['unknown reader', { ...owner, reader: undefined }, knowledge],
  ['state of the secrets', owner, { ...knowledge, secrets: 2 }],
  ['state of what is private', owner, { ...knowledge, privacy: 1 }],
])('knows nothing of another %s', (_, whose, known) => {
  const cache = createTextCache()
  cache.of(owner, knowledge).set('text', '"a"', masked)
  expect(cache.of(whose, known).get('text', '"a"')).toBe(undefined)
})

test('forgets the session that was not used for the longest time when there is no room', () => {
  const cache = createTextCache(1200)
  const sessionOf = (session: string) => cache.of({ ...owner, session }, knowledge)
  const long = `"${'x'.repeat(100)}"`
  for (const session of ['s1', 's2']) sessionOf(session).set('text', long, null)
  sessionOf('s1')
  sessionOf('s3').set('text', long, null)
  expect(sessionOf('s2').get('text', long)).toBe(undefined)
  expect(sessionOf('s1').get('text', long)).toBe(null)
  expect(sessionOf('s3').get('text', long)).toBe(null)
})

test('a session that has no room keeps serving its request, and the room is free after it', () => {
  const cache = createTextCache(1000)
  const strings = cache.of(owner, knowledge)
  const longs = Array.from({ length: 10 }, (_, n) => `"${n}${'x'.repeat(100)}"`)
  for (const long of longs) strings.set('text', long, null)
  expect(longs.every((long) => strings.get('text', long) === null)).toBe(true)
  const other = { ...owner, session: 's2' }
  cache.of(other, knowledge).set('text', longs[0]!, null)
  expect(cache.of(other, knowledge).get('text', longs[0]!)).toBe(null)
  expect(cache.of(owner, knowledge).get('text', longs[0]!)).toBe(undefined)
})
