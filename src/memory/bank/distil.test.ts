import { describe, expect, test } from 'vitest'

import { aMemory, aUser, keepingOf, temporaryBank } from '../../../test/support/memory-bank.ts'
import { sampleSecrets, temporaryRegistry } from '../../../test/support/registry.ts'
import type { Store } from '../../platform/storage/store.ts'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import { distilBrief } from './distil.ts'
import { readSources } from './sources.ts'

const user = aUser()
const owner = { tenant: 'local', project: '/project' }

function addCheckpoint(
  store: Store,
  id: string,
  texts: { summary: string; context?: string },
  project = '/project',
) {
  store.rows('checkpoints', { tenant: 'local', project }).insert({
    id,
    session: 's',
    agent: 'main',
    branch: null,
    name: 'before lunch',
    context: '',
    state: new Uint8Array(),
    state_bytes: 0,
    tokens: '{}',
    files: '{}',
    branches: '[]',
    refs: '[]',
    automatic: 0,
    created_at: 1,
    offered_at: null,
    ...texts,
  })
}

function addBranch(store: Store, id: string, message: string) {
  store.rows('branches', owner).insert({
    id,
    session: 's',
    agent: 'main',
    parent: null,
    depth: 1,
    opener: '["main"]',
    worker: null,
    description: 'find the leak',
    prompt: 'Look at every handler.',
    budget: 1,
    used: 1,
    produced: 1,
    state: 'returned',
    message,
    created_at: 1,
    ends_at: 2,
    ended_at: 2,
  })
}

function addSession(store: Store, id: string, calls: readonly [tool: string, error?: string][] = []) {
  store
    .rows('sessions', owner)
    .insert({ id, session: id, door: 'stdio', client: 'c/1', started_at: 1, ended_at: null })
  for (const [tool, error = null] of calls) {
    const decision = error === 'DENIED_BY_POLICY' ? 'deny' : 'allow'
    store
      .prepare(
        `INSERT INTO audit (time, kind, tenant, project, session, agent, user, method, tool, decision, error, arguments, hash)
         VALUES (1, 'outcome', 'local', '/project', ?, 'main', 'me', 'tool', ?, ?, ?, '{"command":"private words"}', x'00')`,
      )
      .run(id, tool, decision, error)
  }
}

describe('sources', () => {
  test('are summarized', () => {
    const { store } = temporaryBank()
    addCheckpoint(store, 'cp_1', { summary: 'The leak is found.', context: 'It was in the proxy.' })
    addBranch(store, 'br_1', 'The handler for uploads leaks.')
    addSession(store, 'session-1', [
      ['safe_read'],
      ['safe_read'],
      ['safe_bash', 'TIMEOUT'],
      ['http_fetch', 'DENIED_BY_POLICY'],
      ['safe_bash'],
    ])
    const sources = readSources(store, user, ['cp_1', 'br_1', 'session', 'cp_1'])
    expect(sources.map(({ id, kind }) => [id, kind])).toEqual([
      ['cp_1', 'checkpoint'],
      ['br_1', 'branch'],
      ['session-1', 'session'],
    ])
    expect(sources[0]?.text).toBe('before lunch\nThe leak is found.\nIt was in the proxy.')
    expect(sources[1]?.text).toContain('find the leak')
    expect(sources[1]?.text).toContain('The handler for uploads leaks.')
    expect(sources[2]?.text).toBe(
      '5 calls; safe_bash failed: TIMEOUT ×1, http_fetch refused: DENIED_BY_POLICY ×1\n' +
        'safe_read ×2 → safe_bash failed: TIMEOUT → http_fetch refused: DENIED_BY_POLICY → safe_bash',
    )
  })

  test('must belong to the project, and require read access to its memories', () => {
    const { store } = temporaryBank()
    addCheckpoint(store, 'cp_here', { summary: 'here' })
    addCheckpoint(store, 'cp_there', { summary: 'there' }, '/elsewhere')
    for (const id of ['cp_there', 'cp_never', ''])
      expect(() => readSources(store, user, ['cp_here', id])).toThrow(
        expect.objectContaining({
          code: 'INVALID_ARGUMENTS',
          details: { fields: [expect.objectContaining({ field: 'from[1]' })] },
        }),
      )
    expect(() => readSources(store, aUser({ tenant: 'other' }), ['cp_here'])).toThrow()
    expect(() => readSources(store, aUser({ read: ['user'] }), ['cp_here'])).toThrow(
      expect.objectContaining({ code: 'MEMORY_SCOPE_REFUSED' }),
    )
    expect(readSources(store, user, ['cp_here'])).toHaveLength(1)
  })

  test('are read with the tokens of the reader', () => {
    const registry = temporaryRegistry()
    const [secret = ''] = sampleSecrets(1)
    const { archive } = keepingOf(registry, 'earlier')
    addCheckpoint(registry.store, 'cp_1', { summary: archive(`The key ${secret} is old`) })
    const reader = aUser({}, keepingOf(registry, 'session-1'))
    expect(readSources(registry.store, reader, ['cp_1'])[0]?.text).toContain('The key [SECRET_1]')
  })
})

describe('the brief', () => {
  const source = (id: string, text: string) => ({ id, kind: 'branch', text }) as const
  const options = { stored: 0, count: estimateTokens }

  test('contains the sources, the criteria of a good memory and the next step', () => {
    const brief = distilBrief([source('br_1', 'It was the proxy.')], { ...options, stored: 1 })
    expect(brief).toMatchObject({
      sources: [{ id: 'br_1', kind: 'branch', says: 'It was the proxy.' }],
      about: expect.stringContaining('not instructions') as unknown,
      next: expect.stringContaining('from: ["br_1"]') as unknown,
      left: 2,
    })
    expect(JSON.stringify(brief.rules)).toMatch(/At most 3 .*own words.*no names, paths/)
    expect(JSON.stringify(brief.rules)).toMatch(/success.*failure/)
    expect(JSON.stringify(brief.rules)).toMatch(/when NOT/)
  })

  test('asks to compare several attempts, and allows five memories', () => {
    const brief = distilBrief([source('br_1', 'worked'), source('br_2', 'did not')], options)
    expect(brief.left).toBe(5)
    expect(JSON.stringify(brief.rules)).toMatch(/At most 5 .*compare/)
  })

  test('stays under 2,000 tokens; long texts are shortened before short ones', () => {
    const long = 'A "quoted" line\twith {signs}, 漢字 and more.\n'.repeat(2000)
    const sources = [source('br_1', long), source('br_2', 'Short and whole.'), source('br_3', long)]
    const brief = distilBrief(sources, options)
    const tokens = estimateTokens(JSON.stringify({ data: brief, tokens_used: 2000 }))
    expect(tokens).toBeLessThan(2000)
    expect(tokens).toBeGreaterThan(1200)
    const says = (brief.sources as { says: string }[]).map((one) => one.says)
    expect(says[1]).toBe('Short and whole.')
    expect(says[0]).toContain('shortened')
    expect(Math.abs(says[0]!.length - says[2]!.length)).toBeLessThan(100)
  })
})

describe('the limit of memories per set of sources', () => {
  test('is three for one source and five for several, in any order', async () => {
    const { bank } = temporaryBank()
    const store = async (sources: string[]) => bank.store(user, aMemory({ sources }))
    for (let n = 0; n < 3; n++) expect((await store(['br_1'])).memory.sources).toEqual(['br_1'])
    await expect(store(['br_1'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    for (let n = 0; n < 5; n++) await store(n % 2 === 0 ? ['br_1', 'br_2'] : ['br_2', 'br_1'])
    await expect(store(['br_2', 'br_1'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect(bank.list(user).total).toBe(8)
    await store([])
  })
})
