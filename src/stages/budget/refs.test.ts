import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import type { Scope } from '../../core/call.ts'
import type { Refs } from '../../core/ports.ts'
import { estimateTokens } from './estimate.ts'
import { createRefs } from './refs.ts'

const mine: Scope = { tenant: 'local', project: '/shop', session: 's1', agent: 'main' }
const minute = 60_000

function setUp() {
  const store = temporaryStore()
  const clock = { now: 1_000_000 }
  const refs = createRefs({ store, clock: () => clock.now, ttlMs: 60 * minute, count: estimateTokens })
  const bodies = (): unknown[] =>
    store
      .prepare('SELECT length(body) AS bytes FROM refs ORDER BY bytes')
      .all()
      .map(({ bytes }) => Number(bytes))
  return { store, clock, refs, bodies }
}

function readAll(refs: Refs, ref: string, maxTokens: number): string[] {
  const slices: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { text, next } = refs.read(mine, ref, offset, maxTokens)
    expect(next === undefined || next > offset).toBe(true)
    slices.push(text)
    offset = next
  }
  return slices
}

test('a saved text can be read', () => {
  const { refs } = setUp()
  const ref = refs.save(mine, 'kept\n')
  expect(ref).toMatch(/^ref_[A-Za-z0-9_-]{22}$/)
  expect(refs.read(mine, ref, 0, 100)).toEqual({ text: 'kept\n', total: 5 })
  expect(refs.read(mine, ref, 2, 100)).toEqual({ text: 'pt\n', total: 5 })
  expect(refs.read(mine, ref, 5, 100)).toEqual({ text: '', total: 5 })
  expect(refs.read(mine, ref, 5000, 100)).toEqual({ text: '', total: 5 })
})

test('a long text is read in slices that end at a line', () => {
  const { refs } = setUp()
  const text = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join('')
  const slices = readAll(refs, refs.save(mine, text), 500)
  expect(slices.join('')).toBe(text)
  expect(slices.length).toBeGreaterThan(20)
  for (const slice of slices) {
    expect(slice.endsWith('\n')).toBe(true)
    expect(estimateTokens(slice)).toBeLessThanOrEqual(500)
  }
})

test('the slices of any text add up to it, within the limit and with intact tokens', () => {
  const { refs } = setUp()
  const anyText = fc
    .array(
      fc.oneof(
        fc.constantFrom('[SECRET_7]', '👩‍💻', '漢', '\r\n', ' ', 'e\u0301'),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
      ),
      {
        maxLength: 80,
      },
    )
    .map((parts) => parts.join('').repeat(20))
  fc.assert(
    fc.property(anyText, fc.integer({ min: 15, max: 400 }), (text, maxTokens) => {
      const slices = readAll(refs, refs.save(mine, text), maxTokens)
      expect(slices.join('')).toBe(text)
      for (const slice of slices) {
        expect(estimateTokens(slice)).toBeLessThanOrEqual(maxTokens)
        expect(slice).not.toMatch(/\[SECRET_\d*$/)
      }
    }),
    { numRuns: 60 },
  )
})

test('even a limit below one character makes progress', () => {
  const { refs } = setUp()
  expect(readAll(refs, refs.save(mine, '漢👩‍💻字'), 1)).toEqual(['漢', '👩‍💻', '字'])
})

test('a slice of white space is limited too', () => {
  const { refs } = setUp()
  const { text, next } = refs.read(mine, refs.save(mine, ' '.repeat(1_000_000)), 0, 100)
  expect(text.length).toBeGreaterThan(1000)
  expect(text.length).toBeLessThan(10_000)
  expect(next).toBe(text.length)
})

test('a token at the end of the read window is not split', () => {
  const { refs } = setUp()
  // Windows of 1024 bytes at first and at most 6400.
  for (const window of [1024, 6400]) {
    for (let before = window - 25; before < window + 5; before += 1) {
      const text = `${' '.repeat(before)}[SECRET_1234]${' '.repeat(2000)}`
      const slices = readAll(refs, refs.save(mine, text), 100)
      expect(slices.filter((slice) => slice.includes('[SECRET_1234]'))).toHaveLength(1)
    }
  }
})

test('an offset inside a character starts at that character', () => {
  const { refs } = setUp()
  const ref = refs.save(mine, 'x😀y')
  for (const offset of [1, 2, 3, 4]) expect(refs.read(mine, ref, offset, 100).text).toBe('😀y')
  expect(refs.read(mine, ref, 5, 100).text).toBe('y')
})

test('an unpaired surrogate is stored as a replacement character, so that slices are always valid', () => {
  const { refs } = setUp()
  expect(refs.read(mine, refs.save(mine, 'a\ud800b'), 0, 100).text).toBe('a\ufffdb')
})

describe('a ref belongs to one tenant, project, session and agent', () => {
  test.each(['tenant', 'project', 'session', 'agent'] as const)(
    'another %s cannot tell it from one that never was',
    (part) => {
      const { refs, clock } = setUp()
      const ref = refs.save(mine, 'mine')
      const theirs = { ...mine, [part]: 'other' }
      const errorOf = (read: () => unknown): unknown => {
        try {
          return read()
        } catch (error) {
          return { error, ...(error as object) }
        }
      }
      const unknown = errorOf(() => refs.read(mine, 'ref_0000000000000000000000', 0, 100))
      expect(unknown).toMatchObject({ code: 'REF_NOT_FOUND' })
      expect(errorOf(() => refs.read(theirs, ref, 0, 100))).toEqual(unknown)
      expect(refs.read(mine, ref, 0, 100).text).toBe('mine')
      clock.now += 61 * minute
      expect(errorOf(() => refs.read(theirs, ref, 0, 100))).toEqual(unknown)
    },
  )

  test.each(['', 'ref_', 'ref_short', "ref_' OR 1=1 --00000000000", 'x'.repeat(100_000)])(
    '%j is not found',
    (ref) => {
      const { refs } = setUp()
      expect(() => refs.read(mine, ref, 0, 100)).toThrow(expect.objectContaining({ code: 'REF_NOT_FOUND' }))
    },
  )
})

describe('a ref created in a branch', () => {
  function inside(...chain: string[]) {
    const { store, refs } = setUp()
    chain.forEach((id, depth) => {
      store.rows('branches', { tenant: 'local', project: '/shop', session: 's1', agent: 'main' }).insert({
        id,
        parent: chain[depth - 1] ?? null,
        depth: depth + 1,
        opener: '["main"]',
        description: '',
        prompt: '',
        budget: 1000,
        used: 0,
        produced: 0,
        state: 'open',
        message: '',
        created_at: 1,
        ends_at: 2,
      })
    })
    const reads = (ref: string, branch?: string): boolean => {
      try {
        return refs.read({ ...mine, ...(branch !== undefined && { branch }) }, ref, 0, 100).text === 'found'
      } catch (error) {
        expect(error).toMatchObject({ code: 'REF_NOT_FOUND' })
        return false
      }
    }
    return { refs, reads }
  }

  test('is readable in it and in nested branches, but not outside', () => {
    const { refs, reads } = inside('br_a', 'br_b', 'br_c')
    const ref = refs.save({ ...mine, branch: 'br_b' }, 'found')
    expect(['br_b', 'br_c'].map((branch) => reads(ref, branch))).toEqual([true, true])
    expect([undefined, '', 'br_a', 'br_other'].map((branch) => reads(ref, branch))).toEqual(
      Array(4).fill(false),
    )
  })

  test('is not all that a branch can read: earlier refs are readable too', () => {
    const { refs, reads } = inside('br_a')
    const ref = refs.save(mine, 'found')
    expect([undefined, 'br_a'].map((branch) => reads(ref, branch))).toEqual([true, true])
  })
})

describe('expiry', () => {
  test('drops the text after its time', () => {
    const { refs, clock, bodies } = setUp()
    const ref = refs.save(mine, 'for an hour')
    clock.now += 60 * minute - 1
    expect(refs.read(mine, ref, 0, 100).text).toBe('for an hour')
    clock.now += 1
    expect(() => refs.read(mine, ref, 0, 100)).toThrow(expect.objectContaining({ code: 'REF_EXPIRED' }))
    expect(bodies()).toEqual([0])
  })

  test('happens without reads too: later saves drop the text, and a day later the row', () => {
    const { refs, clock, bodies } = setUp()
    refs.save(mine, 'never read')
    clock.now += 61 * minute
    refs.save(mine, 'fresh')
    expect(bodies()).toEqual([0, 5])
    clock.now += 24.5 * 60 * minute
    refs.save(mine, 'next day')
    expect(bodies()).toEqual([0, 8])
  })

  test('is not checked on every save', () => {
    const { refs, clock, bodies } = setUp()
    refs.save(mine, 'old')
    clock.now += 55 * minute
    refs.save(mine, 'looks around')
    clock.now += 6 * minute
    refs.save(mine, 'does not')
    expect(bodies()).toEqual([3, 8, 12])
  })
})
