import { existsSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  dayMs,
  sampleSecrets,
  temporaryRegistry,
  turned,
  type TestRegistry,
} from '../../../test/support/registry.ts'
import { openStore } from '../../platform/storage/store.ts'
import { createSecretRegistry } from './registry.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'

const [one = '', two = '', three = ''] = sampleSecrets(3)

const found = (...values: string[]) => values.map((value) => ({ value, rule: 'github-pat' }))
const count = ({ store }: TestRegistry, table: string): unknown =>
  store.prepare(`SELECT count(*) AS many FROM ${table}`).get()?.many

describe('tokens of a session', () => {
  test('are numbered from one, the same for equal text, separately for each session', () => {
    const { registry } = temporaryRegistry()
    expect(registry.tokensFor('a', found(one, two, one))).toEqual(['[SECRET_1]', '[SECRET_2]', '[SECRET_1]'])
    expect(registry.tokensFor('b', found(two))).toEqual(['[SECRET_1]'])
    expect(registry.valueOf('a', '[SECRET_2]')).toBe(two)
    expect(registry.valueOf('b', '[SECRET_1]')).toBe(two)
  })

  test('are distinguished from lookalikes, even if their secret is forgotten', () => {
    const { registry } = temporaryRegistry()
    registry.tokensFor('a', found(one, two))
    registry.forget({ all: true })
    const tokens = ['[SECRET_1]', '[SECRET_2]', '[SECRET_3]', '[SECRET_01]']
    expect([...registry.issued('a', tokens)]).toEqual(['[SECRET_1]', '[SECRET_2]'])
    expect(registry.issued('b', tokens).size).toBe(0)
  })

  test('are found again by a session resumed in another process', () => {
    const first = temporaryRegistry()
    first.registry.tokensFor('a', found(one, two))
    const { registry } = first.another()
    expect(registry.valueOf('a', '[SECRET_2]')).toBe(two)
    expect(registry.tokensFor('a', found(three, two))).toEqual(['[SECRET_3]', '[SECRET_2]'])
    expect(first.registry.tokensFor('a', found(three))).toEqual(['[SECRET_3]'])
  })

  test('outlive the end of the session in this process', () => {
    const { registry } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    registry.endSession('a')
    expect(registry.valueOf('a', '[SECRET_1]')).toBe(one)
    expect(registry.tokensFor('a', found(one))).toEqual(['[SECRET_1]'])
  })

  test('differ by spelling: the same secret in another encoding is another value', () => {
    const { registry } = temporaryRegistry()
    const encoded = Buffer.from(one).toString('base64')
    expect(registry.tokensFor('a', found(one, encoded))).toEqual(['[SECRET_1]', '[SECRET_2]'])
    expect(registry.valueOf('a', '[SECRET_2]')).toBe(encoded)
  })

  test('restore any text exactly, even if it is not well-formed', () => {
    const { registry } = temporaryRegistry()
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.boolean(), (text, broken) => {
        const value = broken ? `${text}\uD800` : text
        const [token = ''] = registry.tokensFor('a', found(value))
        expect(registry.valueOf('a', token)).toBe(value)
      }),
    )
  })

  test('restore every secret at its position', () => {
    const { scrubber } = temporaryRegistry()
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(one, two, `key="${three}"`, Buffer.from(one).toString('base64')),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = pieces.join(' ')
        fc.pre(!text.includes('[SECRET_'))
        const scrubbed = scrubber.scrub(text, { tenant: 'local', session: 'a' }).text
        expect(scrubber.restore(scrubbed, 'a')).toBe(text)
        if (text.includes(one)) expect(scrubbed).not.toContain(one)
      }),
    )
  })

  test('of known secrets cost no write', () => {
    const { registry, store } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    store.prepare('PRAGMA query_only = on').get()
    expect(registry.tokensFor('a', found(one, one))).toEqual(['[SECRET_1]', '[SECRET_1]'])
    expect(() => registry.tokensFor('a', found(two))).toThrow('read-only')
  })

  test('without a session stay in memory and cannot be resolved', () => {
    const opened = temporaryRegistry()
    expect(opened.registry.tokensFor('log', found(one))).toEqual(['[SECRET_1]'])
    expect(opened.registry.valueOf('log', '[SECRET_1]')).toBeUndefined()
    expect(count(opened, 'secrets')).toBe(0)
    opened.registry.tokensFor('a', found(one))
    expect(count(opened, 'secrets')).toBe(1)
  })

  test('end if a session has too many, and others continue', () => {
    const { registry } = temporaryRegistry()
    const flood = (): void => {
      for (let n = 0; n < 10; n++) registry.tokensFor('a', found(`${n}`.padEnd(1 << 20)))
    }
    expect(flood).toThrow('too many secrets')
    expect(registry.tokensFor('a', found('0'.padEnd(1 << 20)))).toEqual(['[SECRET_1]'])
    expect(registry.tokensFor('b', found(one))).toEqual(['[SECRET_1]'])
  })

  test('are issued all or not at all: what cannot be written is not issued', () => {
    const opened = temporaryRegistry()
    const { registry, store } = opened
    store.prepare('PRAGMA query_only = on').get()
    expect(() => registry.tokensFor('a', found(one, two))).toThrow('read-only')
    store.prepare('PRAGMA query_only = off').get()
    expect([count(opened, 'secrets'), count(opened, 'secret_tokens')]).toEqual([0, 0])
    expect(registry.tokensFor('a', found(two, one))).toEqual(['[SECRET_1]', '[SECRET_2]'])
  })

  test('are the same numbers in two processes that take turns in one session', () => {
    const first = temporaryRegistry()
    const second = first.another()
    const pool = sampleSecrets(40, 7)
    const given = new Map<string, string>()
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 5 }),
        (who, values) => {
          const tokens = (who ? first : second).registry.tokensFor('a', found(...values))
          for (const [index, value] of values.entries()) {
            const before = given.get(value)
            if (before !== undefined) expect(tokens[index]).toBe(before)
            given.set(value, tokens[index]!)
          }
          expect(new Set(given.values()).size).toBe(given.size)
        },
      ),
    )
  })
})

describe('a token has no value', () => {
  test.each([
    ['that was never given', 'a', '[SECRET_2]'],
    ['of another session', 'b', '[SECRET_1]'],
    ['in another spelling', 'a', '[SECRET_01]'],
    ['with number zero', 'a', '[SECRET_0]'],
    ['that is none', 'a', 'SECRET_1'],
  ])('%s', (_, session, token) => {
    const { registry } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    expect(registry.valueOf('a', '[SECRET_1]')).toBe(one)
    expect(registry.valueOf(session, token)).toBeUndefined()
    expect(registry.valuesOf(session, [token]).size).toBe(0)
  })

  test.each([
    // A different first byte, whatever it was.
    [
      'with a changed body',
      "UPDATE secrets SET body = CAST(iif(substr(body, 1, 1) = x'00', x'01', x'00') || substr(body, 2) AS BLOB) WHERE seq = 1",
    ],
    ['cut short', 'UPDATE secrets SET body = substr(body, 1, 4) WHERE seq = 1'],
    ['with another nonce', 'UPDATE secrets SET nonce = randomblob(12) WHERE seq = 1'],
    [
      'with the body of another secret',
      'UPDATE secrets SET (nonce, body) = (SELECT nonce, body FROM secrets WHERE seq = 2) WHERE seq = 1',
    ],
    [
      'under another id',
      "UPDATE secrets SET id = '0123456789ab' WHERE seq = 1; UPDATE secret_tokens SET secret = '0123456789ab' WHERE n = 1",
    ],
    ['under another fingerprint', 'UPDATE secrets SET mac = randomblob(32) WHERE seq = 1'],
  ])('if its secret is stored %s, and the others still work', (_, change) => {
    const { registry, store, complaints, another } = temporaryRegistry()
    registry.tokensFor('a', found(one, two))
    expect(registry.valueOf('a', '[SECRET_1]')).toBe(one)
    for (const statement of change.split('; ')) store.prepare(statement).run()
    expect(registry.valueOf('a', '[SECRET_1]')).toBeUndefined()
    expect(registry.valueOf('a', '[SECRET_2]')).toBe(two)
    expect(complaints.join()).toContain('do not open')
    expect(complaints.join()).not.toContain(one)
    // A new process loads what it can read, and reports what it cannot.
    const later = another()
    expect(later.registry.newlyKnown('x').map(({ value }) => value)).toEqual([two])
    expect(later.complaints).toHaveLength(1)
  })
})

describe('forgetting', () => {
  test('makes a token unknown, immediately and in every process', () => {
    const { registry, another } = temporaryRegistry()
    registry.tokensFor('a', found(one, two))
    const operator = another().registry
    const id = operator.list()[0]?.id ?? ''
    expect(registry.valueOf('a', '[SECRET_1]')).toBe(one)
    expect(operator.forget({ id })).toBe(1)
    expect(registry.valueOf('a', '[SECRET_1]')).toBeUndefined()
    expect(registry.valueOf('a', '[SECRET_2]')).toBe(two)
    expect(operator.forget({ id })).toBe(0)
  })

  test('never reuses a number for another secret; the same value gets a new one when it is seen again', () => {
    const { registry } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    registry.forget({ all: true })
    expect(registry.tokensFor('a', found(two))).toEqual(['[SECRET_2]'])
    expect(registry.tokensFor('a', found(one, two))).toEqual(['[SECRET_3]', '[SECRET_2]'])
    expect(registry.valueOf('a', '[SECRET_1]')).toBeUndefined()
    expect(registry.valueOf('a', '[SECRET_3]')).toBe(one)
  })

  test('in another process prevents reissuing its token, but not others', () => {
    const { registry, another } = temporaryRegistry()
    registry.tokensFor('a', [...found(one), { value: two, rule: 'jwt' }])
    const other = another().registry
    other.set('unrelated', three)
    expect(registry.tokensFor('a', found(one, two))).toEqual(['[SECRET_1]', '[SECRET_2]'])
    other.forget({ rule: 'jwt' })
    const again = registry.tokensFor('a', found(one, two))
    expect(again).toEqual(['[SECRET_1]', '[SECRET_3]'])
    expect(registry.valuesOf('a', again).size).toBe(2)
  })

  test('by rule affects only its secrets', () => {
    const { registry } = temporaryRegistry()
    registry.tokensFor('a', [{ value: one, rule: 'jwt' }, ...found(two)])
    expect(registry.forget({ rule: 'jwt' })).toBe(1)
    expect(registry.list().map(({ rule }) => rule)).toEqual(['github-pat'])
  })

  test('happens automatically a month after a secret was last seen', () => {
    const opened = temporaryRegistry()
    const { registry, clock } = opened
    registry.tokensFor('a', found(one, two))
    clock.now += 20 * dayMs
    registry.tokensFor('a', found(one))
    clock.now += 10 * dayMs
    // It has expired even before it is deleted.
    expect(registry.valueOf('a', '[SECRET_2]')).toBeUndefined()
    expect(registry.valueOf('a', '[SECRET_1]')).toBe(one)
    expect(registry.list()).toHaveLength(1)
    expect(count(opened, 'secrets')).toBe(2)
    expect(registry.prune()).toBe(1)
    expect(count(opened, 'secrets')).toBe(1)
    clock.now += 31 * dayMs
    registry.prune()
    expect([count(opened, 'secrets'), count(opened, 'secret_tokens')]).toEqual([0, 0])
  })

  test('keeps the numbers of an active session', () => {
    const opened = temporaryRegistry()
    const { registry, clock } = opened
    registry.tokensFor('a', found(one))
    clock.now += 31 * dayMs
    registry.tokensFor('a', found(two))
    registry.prune()
    expect([count(opened, 'secrets'), count(opened, 'secret_tokens')]).toEqual([1, 2])
    expect(registry.valueOf('a', '[SECRET_2]')).toBe(two)
  })
})

describe('text that outlives its session', () => {
  test('is renumbered for its reader', () => {
    const { registry } = temporaryRegistry()
    registry.tokensFor('a', found(one, two))
    registry.tokensFor('b', found(three))
    const kept = registry.archive('use [SECRET_2] and [SECRET_9], not [SECRET_2]', 'a')
    expect(kept).toMatch(/^use \[SECRET:[0-9a-f]{12}\] and \[SECRET_9\], not \[SECRET:[0-9a-f]{12}\]$/)
    expect(registry.recall(kept, 'b')).toBe('use [SECRET_2] and [SECRET_9], not [SECRET_2]')
    expect(registry.valueOf('b', '[SECRET_2]')).toBe(two)
    expect(registry.recall(kept, 'c')).toBe('use [SECRET_1] and [SECRET_9], not [SECRET_1]')
    expect(registry.recall(kept, 'a')).toBe('use [SECRET_2] and [SECRET_9], not [SECRET_2]')
  })

  test('reports a forgotten secret, and keeps one longer when it is read', () => {
    const { registry, clock } = temporaryRegistry()
    registry.tokensFor('a', found(one, two))
    const kept = registry.archive('[SECRET_1] [SECRET_2]', 'a')
    clock.now += 20 * dayMs
    registry.recall(registry.archive('[SECRET_1]', 'a'), 'b')
    clock.now += 20 * dayMs
    expect(registry.recall(kept, 'c')).toBe('[SECRET_1] [SECRET_FORGOTTEN]')
    registry.forget({ all: true })
    expect(registry.recall(kept, 'd')).toBe('[SECRET_FORGOTTEN] [SECRET_FORGOTTEN]')
  })

  test('cannot be forged: an id that an agent writes stays text', () => {
    const { registry } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    const id = registry.list()[0]?.id ?? ''
    const forged = `[SECRET:${id}]`
    expect(registry.recall(forged, 'b')).toBe('[SECRET_1]')
    expect(registry.recall(registry.archive(forged, 'c'), 'c')).toBe(forged)
    expect(registry.valueOf('c', '[SECRET_1]')).toBeUndefined()
  })

  test('is unchanged for the session that wrote it, whatever it contains', () => {
    const { registry } = temporaryRegistry()
    registry.tokensFor('a', found(one, two))
    const piece = fc.constantFrom(
      '[SECRET_1]',
      '[SECRET_2]',
      '[SECRET_3]',
      '[SECRET:',
      ':',
      ']',
      '0123456789ab',
      'x',
      '[',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect(registry.recall(registry.archive(text, 'a'), 'a')).toBe(text)
      }),
    )
  })
})

describe('a new process', () => {
  test('searches for earlier secrets in any form', () => {
    const first = temporaryRegistry()
    first.scrubber.scrub(`token ${one}`, { tenant: 'local', session: 'a' })
    const { scrubber } = first.another()
    const session = { tenant: 'local', session: 'b' }
    const { text, findings } = scrubber.scrub(`see ${turned(one)}.`, session)
    expect(text).toBe('see [SECRET_1].')
    expect(findings.map(({ rule }) => rule)).toEqual(['github-pat'])
    expect(temporaryRegistry().scrubber.scrub(`see ${turned(one)}.`, session).text).toContain(turned(one))
  })

  test('searches for them in its log too, and the log still works if the store cannot be read', () => {
    const first = temporaryRegistry()
    first.registry.set('mine', one)
    const log = { tenant: 'local', session: 'log' }
    const { scrubber, registry } = first.another()
    expect(scrubber.scrub(`see ${turned(one)}.`, log).text).toBe('see [SECRET_1].')
    expect(registry.list()).toMatchObject([{ sessions: 0 }])
    const store = openStore(first.store.path)
    const closed = temporaryRegistry(store, first.clock)
    store.close()
    expect(closed.scrubber.scrub('nothing', log).text).toBe('nothing')
    expect(() => closed.scrubber.scrub('nothing', { ...log, session: 'a' })).toThrow()
  })

  test('can write to its log while it loads new secrets', () => {
    const { registry, store, keysDir, clock } = temporaryRegistry()
    registry.set('mine', one)
    store.prepare('UPDATE secrets SET nonce = randomblob(12)').run()
    const said: string[] = []
    const tokens = createSecretRegistry({
      store,
      tenant: 'local',
      keysDir,
      clock: () => clock.now,
      keepMs: dayMs,
      report: (_, message) => said.push(scrubber.scrub(message, { tenant: 'local', session: 'log' }).text),
      passing: ['log'],
    })
    const scrubber = createScrubber({ tokens })
    expect(scrubber.scrub('x', { tenant: 'local', session: 'a' }).text).toBe('x')
    expect(said).toEqual(['secrets of the registry do not open'])
  })

  test('opens nothing if there is nothing', () => {
    const { registry, keysDir } = temporaryRegistry()
    expect(registry.newlyKnown('a')).toEqual([])
    expect(registry.valueOf('a', '[SECRET_1]')).toBeUndefined()
    expect(existsSync(join(keysDir, 'secrets.key'))).toBe(false)
    registry.tokensFor('a', found(one))
    expect(existsSync(join(keysDir, 'secrets.key'))).toBe(true)
  })

  test('searches for the latest of very many, and for all that were set', () => {
    const { registry, another, clock } = temporaryRegistry()
    const id = registry.set('old-key', one)
    const many = sampleSecrets(2100, 3)
    registry.tokensFor('a', found(...many.slice(0, 100)))
    clock.now += 1
    registry.tokensFor('a', found(...many.slice(100)))
    const later = another().registry
    const [first, ...others] = later.newlyKnown('b')
    expect(first).toEqual({ value: one, rule: 'set:old-key' })
    // In batches, so that no caller waits for all of them.
    expect(others.length).toBeLessThan(300)
    for (let turn = 0; turn < 20; turn++) {
      clock.now += 1000
      others.push(...later.newlyKnown('b'))
    }
    expect(new Set(others.map(({ value }) => value))).toEqual(new Set(many.slice(100)))
    expect(registry.list().find((secret) => secret.id === id)).toMatchObject({ kind: 'set', sessions: 0 })
  })

  test('returns all of very many at once if requested, even right after a batch', () => {
    const { registry, another } = temporaryRegistry()
    const many = sampleSecrets(600, 3)
    registry.tokensFor('a', found(...many))
    const later = another().registry
    const some = later.newlyKnown('b')
    expect(some.length).toBeLessThan(300)
    expect(later.newlyKnown('b')).toEqual([])
    const rest = later.newlyKnown('b', true)
    expect(new Set([...some, ...rest].map(({ value }) => value))).toEqual(new Set(many))
    expect(later.newlyKnown('b', true)).toEqual([])
  })

  test('loads what others find while it runs, about once a second', () => {
    const { registry, another, clock } = temporaryRegistry()
    const other = another().registry
    registry.tokensFor('a', found(one))
    expect(registry.newlyKnown('a')).toEqual([])
    other.set('key', two)
    expect(registry.newlyKnown('a')).toEqual([])
    clock.now += 1000
    expect(registry.newlyKnown('a')).toEqual([{ value: two, rule: 'set:key' }])
    clock.now += 1000
    expect(registry.newlyKnown('a')).toEqual([])
  })

  test.each([true, false])(
    'immediately searches for a value that it returns, however old (all: %s)',
    (all) => {
      const { registry, another, clock } = temporaryRegistry()
      registry.tokensFor('a', found(one))
      clock.now += 1
      registry.tokensFor('b', found(...sampleSecrets(2000, 5)))
      const later = another().registry
      expect(later.newlyKnown('a').map(({ value }) => value)).not.toContain(one)
      // The others are loaded in their turn, and nothing is new within the second.
      for (let turn = 0; turn < 20; turn++, clock.now += 1000) later.newlyKnown('a')
      expect(later.newlyKnown('a', all)).not.toContainEqual(found(one)[0])
      expect(later.newlyKnown('a', all)).toEqual([])
      expect(later.valueOf('a', '[SECRET_1]')).toBe(one)
      expect(later.newlyKnown('a', all)).toEqual(found(one))
      expect(later.newlyKnown('a', all)).toEqual([])
    },
  )
})

describe('a value set by the user', () => {
  test('is kept until it is forgotten, or for its days', () => {
    const { registry, clock } = temporaryRegistry()
    registry.set('forever', one)
    registry.set('a-week', two, 7)
    expect(registry.list()).toMatchObject([
      { rule: 'set:forever', kind: 'set', length: one.length },
      { rule: 'set:a-week', kind: 'set', expiresAt: clock.now + 7 * dayMs },
    ])
    clock.now += 6 * dayMs
    // Seen or not: its days count from when it was set.
    registry.tokensFor('a', found(one, two))
    clock.now += 2 * dayMs
    expect(registry.list().map(({ rule }) => rule)).toEqual(['set:forever'])
    clock.now += 3650 * dayMs
    expect(registry.list().map(({ rule }) => rule)).toEqual(['set:forever'])
  })

  test('that was found before keeps its tokens, and is kept from then on', () => {
    const { registry, clock } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    registry.set('mine', one)
    expect(registry.list()).toMatchObject([{ rule: 'set:mine', sessions: 1 }])
    expect(registry.list()[0]).not.toHaveProperty('expiresAt')
    clock.now += 100 * dayMs
    expect(registry.valueOf('a', '[SECRET_1]')).toBe(one)
  })

  test.each(['', 'short', 'password', '12345678901234', 'aaaaaaaaaaaaaaaaaaaaaaaa'])(
    'is refused where ordinary text is full of it: %j',
    (value) => {
      const { registry } = temporaryRegistry()
      expect(() => registry.set('x', value)).toThrow(expect.objectContaining({ code: 'USAGE' }))
      expect(registry.list()).toEqual([])
    },
  )
})
