import { expect, test } from 'vitest'

import { createTextCache } from './text-cache.ts'

const owner = { session: 's1', reader: 'main' }
const masked = { masked: { literal: '"[SECRET_1]"', rules: ['r'] }, secrets: 1 }
const same = { masked: null, secrets: 1 }

test('remembers the masked string of a place', () => {
  const cache = createTextCache()
  const strings = cache.of(owner, 0)
  strings.set('text', '"a"', masked)
  strings.set('text', '"b"', same)
  const again = cache.of({ ...owner }, 0)
  expect(again.get('text', '"a"')).toBe(masked)
  expect(again.get('text', '"b"')).toBe(same)
  expect(again.get('text', '"c"')).toBe(undefined)
  expect(again.get('json', '"a"')).toBe(undefined)
})

test.each([
  ['session', { ...owner, session: 's2' }, 0],
  ['reader', { ...owner, reader: 'other' }, 0],
  ['unknown reader', { ...owner, reader: undefined }, 0],
  ['version of the private context', owner, 1],
])('does not apply to another %s', (_, whose, privacy) => {
  const cache = createTextCache()
  cache.of(owner, 0).set('text', '"a"', masked)
  expect(cache.of(whose, privacy).get('text', '"a"')).toBe(undefined)
})

test('evicts the least recently used session when full', () => {
  const cache = createTextCache(1200)
  const sessionOf = (session: string) => cache.of({ ...owner, session }, 0)
  const long = `"${'x'.repeat(100)}"`
  for (const session of ['s1', 's2']) sessionOf(session).set('text', long, same)
  sessionOf('s1')
  sessionOf('s3').set('text', long, same)
  expect(sessionOf('s2').get('text', long)).toBe(undefined)
  expect(sessionOf('s1').get('text', long)).toBe(same)
  expect(sessionOf('s3').get('text', long)).toBe(same)
})

test('an evicted session still serves its request, and its space is free', () => {
  const cache = createTextCache(1000)
  const strings = cache.of(owner, 0)
  const longs = Array.from({ length: 10 }, (_, n) => `"${n}${'x'.repeat(100)}"`)
  for (const long of longs) strings.set('text', long, same)
  expect(longs.every((long) => strings.get('text', long) === same)).toBe(true)
  const other = { ...owner, session: 's2' }
  cache.of(other, 0).set('text', longs[0]!, same)
  expect(cache.of(other, 0).get('text', longs[0]!)).toBe(same)
  expect(cache.of(owner, 0).get('text', longs[0]!)).toBe(undefined)
})

test('a string that is checked again is counted once', () => {
  const cache = createTextCache(2000)
  const [first, second] = ['s1', 's2'].map((session) => cache.of({ ...owner, session }, 0))
  for (let secrets = 1; secrets < 100; secrets++) first!.set('text', '"a"', { ...masked, secrets })
  second!.set('text', '"b"', same)
  expect(cache.of({ ...owner, session: 's1' }, 0).get('text', '"a"')).toEqual({ ...masked, secrets: 99 })
})
