import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { temporaryStore } from '../../../../test/support/audit.ts'
import { aCall } from '../../../../test/support/calls.ts'
import type { Call } from '../../../core/call.ts'
import { openStore, type Store } from '../../../platform/storage/store.ts'
import { createPrivateContexts } from './private-contexts.ts'

const catalogue = '# Names\n\n- Anna Miller\n- Bluebird\n\nThe nests are on the north tower.\n'
const loaded = { key: 'ctx_q7Rk2mVx', text: catalogue }

function setUp(store: Store = temporaryStore(), clock = { now: 1000 }) {
  const keysDir = join(dirname(store.path), 'keys')
  const contexts = createPrivateContexts({ store, tenant: 'local', keysDir, clock: () => clock.now })
  return {
    ...contexts,
    store,
    clock,
    keyFile: join(keysDir, 'private.key'),
    masked: (text: string, caller?: string, session = 'session-1') =>
      contexts.mask(text, session, caller).text,
    another() {
      const other = openStore(store.path)
      onTestFinished(() => other.close())
      return setUp(other, clock)
    },
  }
}

const callOf = (agent: string, parts: Partial<Call> = {}): Call =>
  aCall({
    claims: { attested: { agent, instance: 'a1' } },
    principal: { agent: 'default', level: 'attested' },
    ...parts,
  })

describe("an agent's private context", () => {
  test("is masked for the session's other agents, by key, line and name", () => {
    const { remember, masked } = setUp()
    const text = 'ctx_q7Rk2mVx, anna_miller, the nests are\non the north tower'
    expect(masked(text, 'main')).toBe(text)
    remember(callOf('scanner'), loaded)
    expect(masked(text, 'main')).toBe('[PRIVATE], [PRIVATE], [PRIVATE]')
    expect(masked(text, 'default')).toBe('[PRIVATE], [PRIVATE], [PRIVATE]')
    expect(masked(text)).toBe('[PRIVATE], [PRIVATE], [PRIVATE]')
    expect(masked(text, 'scanner')).toBe(text)
    expect(masked(text, 'main', 'session-2')).toBe(text)
  })

  test('is reported with rule and place', () => {
    const { remember, mask } = setUp()
    remember(callOf('scanner'), loaded)
    expect(mask('by Bluebird', 'session-1', 'main').findings).toEqual([
      { rule: 'private-context', start: 3, end: 11, token: '[PRIVATE]' },
    ])
  })

  test('belongs to all agents that loaded it', () => {
    const { remember, masked } = setUp()
    remember(callOf('scanner'), loaded)
    remember(callOf('writer'), { text: '- Bluebird' })
    const text = 'Anna Miller and Bluebird'
    expect(masked(text, 'writer')).toBe('[PRIVATE] and Bluebird')
    expect(masked(text, 'scanner')).toBe(text)
    expect(masked(text, 'main')).toBe('[PRIVATE] and [PRIVATE]')
  })

  test('a key that would occur in any text is ignored', () => {
    const { remember, masked } = setUp()
    remember(callOf('scanner'), { key: 'a1', text: catalogue })
    expect(masked('a1 and ----', 'main')).toBe('a1 and ----')
  })

  test('requires an owner', () => {
    const { remember } = setUp()
    expect(() => remember(aCall(), loaded)).toThrow('unidentified caller')
  })

  test('reports the agents that have some', () => {
    const { remember, holders } = setUp()
    const instance = (id: string): Partial<Call> => ({
      claims: { attested: { agent: 'scanner', instance: id } },
    })
    expect(holders('session-1')).toEqual([])
    remember(callOf('scanner', instance('a1')), loaded)
    remember(callOf('scanner', instance('a1')), { text: '- Kestrel' })
    remember(callOf('scanner', instance('a2')), loaded)
    remember(callOf('main', { claims: { attested: { agent: 'main' } } }), loaded)
    expect(holders('session-1')).toEqual([
      { agent: 'scanner', instance: 'a1' },
      { agent: 'scanner', instance: 'a2' },
      { agent: 'main' },
    ])
    expect(holders('session-2')).toEqual([])
  })
})

describe('the store', () => {
  const rows = ({ store }: { store: Store }) =>
    store.rows('private_contexts', { tenant: 'local' }).all() as { body: Uint8Array }[]

  test('contains it sealed, and equal contexts once', () => {
    const contexts = setUp()
    for (const agent of ['scanner', 'scanner', 'main']) contexts.remember(callOf(agent), loaded)
    expect(rows(contexts)).toHaveLength(2)
    contexts.store.prepare('PRAGMA wal_checkpoint(truncate)').get()
    const bytes = readFileSync(contexts.store.path).toString('latin1')
    expect(bytes).toContain('scanner')
    for (const piece of ['Anna Miller', 'Bluebird', 'ctx_q7Rk2mVx', 'nests'])
      expect(bytes).not.toContain(piece)
  })

  test('is not accessed, and no key is created, until a context is stored', () => {
    const contexts = setUp()
    expect(contexts.masked('Anna Miller', 'main')).toBe('Anna Miller')
    expect(existsSync(contexts.keyFile)).toBe(false)
    contexts.remember(callOf('scanner'), loaded)
    expect(existsSync(contexts.keyFile)).toBe(true)
  })

  test('is shared with other processes and resumed sessions', () => {
    const one = setUp()
    const other = one.another()
    expect(other.masked('Bluebird', 'main')).toBe('Bluebird')
    one.remember(callOf('scanner'), loaded)
    one.clock.now += 1
    expect(other.masked('Bluebird, Kestrel', 'main')).toBe('[PRIVATE], Kestrel')
    expect(other.masked('Bluebird', 'scanner')).toBe('Bluebird')
    other.remember(callOf('writer'), { text: '- Kestrel' })
    one.clock.now += 1
    expect(one.masked('Bluebird, Kestrel', 'main')).toBe('[PRIVATE], [PRIVATE]')
    expect(one.another().masked('Bluebird, Kestrel', 'main')).toBe('[PRIVATE], [PRIVATE]')
  })

  test('is not read again for every text', () => {
    const contexts = setUp()
    contexts.remember(callOf('scanner'), loaded)
    let looks = 0
    const watched = setUp(
      {
        ...contexts.store,
        rows: (...args) => {
          looks++
          return contexts.store.rows(...args)
        },
      },
      contexts.clock,
    )
    for (let n = 0; n < 5; n++) {
      contexts.clock.now += 1
      expect(watched.masked('Bluebird', 'main')).toBe('[PRIVATE]')
      expect(watched.masked('Bluebird', 'main', 'session-2')).toBe('Bluebird')
    }
    expect(looks).toBe(2)
  })

  test('deletes old contexts', () => {
    const contexts = setUp()
    contexts.remember(callOf('scanner'), loaded)
    contexts.clock.now = 5000
    contexts.remember(callOf('scanner', { session: 'session-2' }), loaded)
    expect(contexts.prune(1000)).toBe(0)
    expect(contexts.prune(1001)).toBe(1)
    expect(contexts.masked('Bluebird', 'main')).toBe('Bluebird')
    expect(contexts.masked('Bluebird', 'main', 'session-2')).toBe('[PRIVATE]')
  })

  test('that was tampered with, or lost its key, blocks everything', () => {
    const contexts = setUp()
    contexts.remember(callOf('scanner'), loaded)
    expect(contexts.another().masked('Bluebird', 'main')).toBe('[PRIVATE]')
    // Under another name, it would belong to that agent.
    contexts.store.prepare("UPDATE private_contexts SET agent = 'main'").run()
    expect(() => contexts.another().masked('Bluebird', 'main')).toThrow('was changed')
    contexts.store.prepare("UPDATE private_contexts SET agent = 'scanner'").run()
    expect(contexts.another().masked('Bluebird', 'main')).toBe('[PRIVATE]')
    rmSync(contexts.keyFile)
    expect(() => contexts.another().masked('Bluebird', 'main')).toThrow('was changed')
  })
})
