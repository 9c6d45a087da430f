import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { apiRuntime, declaring, type ApiRuntime } from '../../../../test/support/api-runtime.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { announceDaemon } from './server.ts'

let api: ApiRuntime
beforeEach(async () => {
  api = await apiRuntime()
})
afterEach(() => api.close())

const failing = (rpc: string, request: JsonObject = {}) =>
  api.call(rpc, request).then(
    () => 'no error',
    (error: { code: string }) => error.code,
  )

describe('policy', () => {
  const asked = { agent: 'main', server: 'contextd', tool: 'read_more' }

  test('returns allow or deny, with the rule', async () => {
    expect(await api.call('Policy/Check', asked)).toMatchObject({ allowed: true, decision: 'allow' })
    expect(await api.call('Policy/Check', { ...asked, server: 'postgres' })).toMatchObject({
      allowed: false,
      decision: 'deny',
      rule: expect.any(String),
    })
    expect(await api.call('Policy/Explain', asked)).toMatchObject({
      decision: 'allow',
      file: null,
      line: null,
    })
  })

  test('lists the active rules', async () => {
    expect(await api.call('Policy/List')).toMatchObject({ agents: ['main', 'default'], files: [] })
  })

  test.each([{}, { agent: 'main' }, { ...asked, level: 'certain' }, { ...asked, tool: 7 }])(
    'a question such as %j is refused',
    async (request) => {
      expect(await failing('Policy/Check', request as JsonObject)).toBe('INVALID_ARGUMENTS')
    },
  )
})

describe('agents', () => {
  test('lists a token without its secret, and revokes it once', async () => {
    const { token, secret } = api.runtime.tokens.create('main', 'laptop')
    const listed = await api.call('Agents/ListTokens')
    expect(listed).toMatchObject({ tokens: [{ id: token.id, agent: 'main', label: 'laptop' }] })
    expect(JSON.stringify(listed)).not.toContain(secret)
    expect(api.runtime.tokens.verify(secret)).toBeDefined()
    expect(await api.call('Agents/RevokeToken', { id: token.id })).toEqual({ id: token.id, revoked: true })
    expect(api.runtime.tokens.verify(secret)).toBeUndefined()
    expect(await failing('Agents/RevokeToken', { id: token.id })).toBe('NOT_FOUND')
  })
})

describe('context', () => {
  test('neither list nor check returns keys or contents', async () => {
    const key = 'ctx_0123456789abcdefghij'
    const file = api.home.write('private.md', 'the wombat protocol\n')
    api.home.write(
      'config/context-map.toml',
      `[keys]\n${key} = { path = ${JSON.stringify(file)}, agents = ["main"] }\n`,
    )
    const answers = [await api.call('Context/List'), await api.call('Context/Check')]
    expect(answers[0]).toMatchObject({ contexts: [{ file, agents: ['main'] }], problems: [] })
    expect(answers[1]).toMatchObject({ ok: true, contexts: 1 })
    expect(JSON.stringify(answers)).not.toMatch(/wombat|0123456789abcdef/)
  })
})

describe('the daemon', () => {
  test('is called if one is running, and is not found otherwise', async () => {
    expect(await failing('Server/Status')).toBe('DAEMON_NOT_RUNNING')
    let stopped = 0
    const withdraw = announceDaemon(api.runtime.paths, {
      status: () => ({ version: '1', pid: 7 }),
      stop: () => (stopped += 1),
    })
    expect(await api.call('Server/Status')).toEqual({ version: '1', pid: 7 })
    expect(await api.call('Server/Stop')).toEqual({ stopping: true })
    expect(stopped).toBe(1)
    withdraw()
    expect(await failing('Server/Stop')).toBe('DAEMON_NOT_RUNNING')
  })

  test('agents cannot stop it', async () => {
    await expect(api.call('Server/Stop', {}, declaring('main'))).rejects.toMatchObject({
      code: 'DENIED_BY_POLICY',
    })
  })
})

describe('unknown names', () => {
  test.each([
    ['Branch/Show', { id: 'br_never' }, 'NOT_FOUND'],
    ['Checkpoint/Show', { id: 'cp_never' }, 'CHECKPOINT_NOT_FOUND'],
    ['Memory/Edit', { id: 'mem_never', title: 'x' }, 'MEMORY_NOT_FOUND'],
    ['Memory/Delete', { ids: ['mem_never'] }, 'MEMORY_NOT_FOUND'],
    ['Memory/Delete', {}, 'INVALID_ARGUMENTS'],
    ['Servers/Tools', { server: 'none' }, 'NOT_FOUND'],
    ['Audit/Show', { call: 'never' }, 'NOT_FOUND'],
    ['Branch/List', { limit: 0 }, 'INVALID_ARGUMENTS'],
    ['Audit/Query', { since: 'yesterday' }, 'INVALID_ARGUMENTS'],
    ['Audit/Query', { error: 'OOPS' }, 'INVALID_ARGUMENTS'],
  ])('%s %j is %s', async (rpc, request, code) => {
    expect(await failing(rpc, request)).toBe(code)
  })
})
