import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isOneTypoAway, nearest, nearestAmong } from './nearest.ts'

const keys = ['host', 'port', 'allowed_hosts', 'session_idle_minutes']

describe('nearest', () => {
  it.each([
    ['prot', 'port'],
    ['PORT', 'port'],
    ['hosts', 'host'],
    ['alowed_host', 'allowed_hosts'],
    ['session_idle_minuets', 'session_idle_minutes'],
  ])('suggests for %s: %s', (typed, suggested) => {
    expect(nearest(typed, keys)).toBe(suggested)
  })

  it.each(['database', 'x', '', 'a'.repeat(100_000)])(
    'suggests nothing for a word that resembles none',
    (typed) => {
      expect(nearest(typed, keys)).toBeUndefined()
    },
  )

  it('prefers the closest candidate at any position', () => {
    expect(nearest('post', ['host', 'ports', 'post'])).toBe('post')
    expect(nearest('post', ['post', 'ports', 'host'])).toBe('post')
  })

  it('finds words with a missing, an extra or two swapped letters', () => {
    const word = fc.stringMatching(/^[a-z_]{5,20}$/)
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('drop', 'add', 'swap'), (meant, seed, slip) => {
        const at = seed % (meant.length - 1)
        const letters = meant.split('')
        if (slip === 'drop') letters.splice(at, 1)
        if (slip === 'add') letters.splice(at, 0, 'q')
        if (slip === 'swap') letters.splice(at, 2, letters[at + 1] ?? '', letters[at] ?? '')
        expect(nearest(letters.join(''), [meant])).toBe(meant)
      }),
    )
  })

  it('does not compare oversized words', () => {
    const long = 'a'.repeat(200_000)
    expect(nearest(`${long}b`, [long])).toBeUndefined()
    expect(nearest(`${'a'.repeat(100)}b`, ['a'.repeat(100)])).toBe('a'.repeat(100))
  })
})

describe('nearestAmong', () => {
  it('returns the same as single lookups', () => {
    const find = nearestAmong(keys)
    for (const word of ['prot', 'database', 'prot', 'hosts', '']) expect(find(word)).toBe(nearest(word, keys))
  })

  it('stops comparing after too many words, and keeps its results', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `server-${index}`)
    const find = nearestAmong(many)
    const words = ['server-7x', 'sever-8', 'sevrer-9', 'srver-10', 'serverr-11', 'server-12x']
    expect(words.map(find).map((found) => found !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(find('sever-8')).toBe('server-8')
  })
})

it.each([
  ['contex7', 'context7', true],
  ['tarcker', 'tracker', true],
  ['tracker', 'tracker', false],
  ['gitlab', 'github', false],
  ['wiki', 'viki', false],
  ['tracker', 'track', false],
])('%s is one typo away from %s: %s', (word, other, expected) => {
  expect(isOneTypoAway(word, other)).toBe(expected)
})
