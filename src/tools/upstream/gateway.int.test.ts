import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, test, vi } from 'vitest'

import {
  as,
  dataOf,
  fixture,
  gatewayRuntime,
  openRules,
  textOf,
  type GatewayRuntime,
  type GatewayRuntimeOptions,
} from '../../../test/support/gateway-runtime.ts'
import { sampleSecrets } from '../../../test/support/registry.ts'
import { loadTokenizer } from '../../stages/budget/tokenizer.ts'
import { until } from '@contextd/shared/testing/until'
import type { JsonObject } from '@contextd/shared/json/value'

let gateway: GatewayRuntime
afterEach(async () => {
  vi.useRealTimers()
  await gateway.close()
})

async function start(options: Partial<GatewayRuntimeOptions> = {}): Promise<GatewayRuntime> {
  gateway = await gatewayRuntime({ servers: { notes: fixture('notebook') }, ...options })
  return gateway
}

describe('finding tools', () => {
  test('lists servers with descriptions without starting them', async () => {
    const { call } = await start({
      servers: {
        notes: fixture('notebook', [], { description: 'Keeps notes.' }),
        broken: { command: '/does/not/exist' },
      },
    })
    expect(dataOf(await call('list_servers'))).toEqual([
      { name: 'broken', description: 'Not used yet: get_server_tools lists its tools.' },
      { name: 'notes', description: 'Keeps notes.' },
    ])
    expect(dataOf(await call('list_servers', { include_metadata: true }))).toMatchObject([
      { name: 'broken', transport: 'stdio', command: '/does/not/exist' },
      { name: 'notes', transport: 'stdio' },
    ])
    expect(gateway.runtime.upstream.health()).toMatchObject([
      { server: 'broken', state: 'not started' },
      { server: 'notes', state: 'not started' },
    ])
  })

  test('describes servers without a description by their pinned tools that the caller may use', async () => {
    const { call, writeRules } = await start({ servers: { notes: fixture('notebook') } })
    await call('get_server_tools', { server: 'notes' })
    const [all] = dataOf(await call('list_servers')) as { description: string }[]
    expect(all?.description).toMatch(/^Tools: \w+, \w+, \w+, \w+, \w+ and 2 more$/)
    const tools = { notes: ['read', 'write'] }
    writeRules({ ...openRules, agents: { main: { allow: { servers: ['notes'], tools } } } })
    gateway.runtime.rules.refresh()
    const [allowed] = dataOf(await call('list_servers')) as { description: string }[]
    expect(allowed?.description).toBe('Tools: read, write')
  })

  test('the list of ten servers has less than 500 tokens, and no secret', async () => {
    const [secret = ''] = sampleSecrets(1)
    const long = `First ${'many words '.repeat(60)}. Second sentence.`
    const of = (description: string): JsonObject => fixture('notebook', [], { description })
    const { call } = await start({
      servers: Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => [
          `server-number-${at}`,
          of(at === 0 ? `Opens ${secret} for you. More.` : at === 1 ? 'ключ '.repeat(200) : long),
        ]),
      ),
    })
    const answered = await call('list_servers')
    const text = textOf(answered)
    expect((await loadTokenizer('o200k'))(text)).toBeLessThan(500)
    const listed = dataOf(answered) as { description: string }[]
    expect(listed).toHaveLength(10)
    expect(text).not.toContain(secret.slice(0, 12))
    expect(text).not.toContain('Second sentence')
    expect(listed[2]?.description).toMatch(/^First many words .*…$/)
  })

  test('returns complete tool definitions', async () => {
    const { call } = await start()
    expect(dataOf(await call('get_server_tools', { server: 'notes', names: 'read, pid' }))).toMatchObject({
      server: 'notes',
      total_available: 7,
      returned: 2,
      tokens_used: null,
      tools: [
        { name: 'pid', inputSchema: { type: 'object' } },
        { name: 'read', outputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      ],
    })
    const names = async (args: JsonObject): Promise<unknown> => {
      const { tools } = dataOf(await call('get_server_tools', { server: 'notes', ...args })) as JsonObject
      return (tools as JsonObject[]).map(({ name }) => name)
    }
    expect(await names({ names: ['read'] })).toEqual(['read'])
    expect(await names({ pattern: '*e*' })).toEqual(['die', 'read', 'write'])
    expect(await names({ max_schema_tokens: 1 })).toEqual([])
  })

  test('a dead server does not hide others', async () => {
    const { call } = await start({
      servers: { notes: fixture('notebook'), dead: fixture('naughty', ['dies-at-start']) },
      transparent: true,
    })
    const found = async (): Promise<string> =>
      JSON.stringify(dataOf(await call('find_tools', { query: 'write a note' })))
    const listed = async (): Promise<unknown[]> => (await gateway.list()).map(({ name }) => name)
    // Neither waits for a server that is slow to start.
    await until(async () => (await found()).includes('write'))
    await until(async () => (await listed()).includes('notes__write'))
    expect(await listed()).toContain('safe_bash')
    expect(await call('get_server_tools', { server: 'dead' })).toMatchObject({
      kind: 'refusal',
      error: { code: 'SERVER_UNAVAILABLE', server: 'dead' },
    })
  })
})

describe('calling', () => {
  test("returns the server's result unchanged", async () => {
    const { execute } = await start()
    expect(textOf(await execute('notes', 'write', { text: 'first' }))).toBe('kept 1')
    expect(await execute('notes', 'read')).toMatchObject({
      kind: 'answer',
      own: false,
      content: [{ type: 'text', text: 'first' }],
      structured: { notes: ['first'] },
    })
    const shown = await execute('notes', 'show')
    expect(shown).toMatchObject({
      content: [
        { type: 'image', data: 'aGVsbG8=' },
        { type: 'resource_link', uri: 'notes://all' },
      ],
      meta: { 'example.org/seen': true },
    })
    expect(JSON.stringify(shown)).not.toContain('forged')
  })

  test("passes on the server's error unchanged", async () => {
    const { execute } = await start()
    expect(await execute('notes', 'fail')).toEqual({
      kind: 'fault',
      error: { code: -32050, message: 'the ink is dry', data: { bottle: 7 } },
    })
  })

  test('does not send invalid arguments', async () => {
    const { execute } = await start()
    expect(await execute('notes', 'write', { text: 7 })).toMatchObject({
      isError: true,
      structured: { error: { code: 'INVALID_ARGUMENTS', fields: [{ field: 'text', expected: 'string' }] } },
    })
    expect(await execute('notes', 'write')).toMatchObject({
      structured: { error: { fields: [{ field: 'text', expected: 'required' }] } },
    })
    expect(textOf(await execute('notes', 'write', { text: 'right' }))).toBe('kept 1')
  })

  test('names the unknown server or tool', async () => {
    const { execute, call } = await start()
    expect(await execute('notes', 'erase')).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } })
    expect(await execute('elsewhere', 'read')).toMatchObject({ error: { code: 'SERVER_UNAVAILABLE' } })
    expect(await call('execute_tool', { server: 'notes' })).toMatchObject({
      structured: { error: { code: 'INVALID_ARGUMENTS', fields: [{ field: 'tool' }] } },
    })
    expect(await execute('contextd', 'safe_bash', { command: 'true' })).toMatchObject({
      structured: { error: { code: 'INVALID_ARGUMENTS' } },
    })
  })

  test('a hanging call does not delay others', async () => {
    const { call, execute } = await start()
    const hanging = call('execute_tool', { server: 'notes', tool: 'hang', timeout_ms: 200 })
    expect(textOf(await execute('notes', 'write', { text: 'meanwhile' }))).toBe('kept 1')
    expect(await hanging).toMatchObject({ structured: { error: { code: 'TIMEOUT' } } })
    expect(textOf(await execute('notes', 'read'))).toBe('meanwhile')
  })

  test('reports a crash with the last output, and restarts the server', async () => {
    const { execute } = await start()
    await execute('notes', 'write', { text: 'gone with it' })
    expect(await execute('notes', 'die')).toMatchObject({
      kind: 'refusal',
      error: {
        code: 'SERVER_UNAVAILABLE',
        server: 'notes',
        last_line: 'the notebook is full',
        message: expect.stringContaining('since 20') as string,
      },
    })
    expect(textOf(await execute('notes', 'read'))).toBe('')
  })
})

describe('sharing connections', () => {
  test('a corrected entry is retried without a pause', async () => {
    // The clock stands still, so no pause expires.
    vi.useFakeTimers({ toFake: ['Date'] })
    const { execute, writeServers } = await start({
      servers: { notes: fixture('naughty', ['dies-at-start']) },
    })
    const retryAt = async (): Promise<number> => {
      const { error } = (await execute('notes', 'pid')) as unknown as { error: { retry_at: string } }
      return Date.parse(error.retry_at)
    }
    expect(await retryAt()).toBeGreaterThan(Date.now())
    writeServers({ notes: fixture('notebook') })
    await until(() => gateway.runtime.upstream.health()[0]?.state !== 'failing')
    expect(await execute('notes', 'pid')).toMatchObject({ kind: 'answer' })
  })

  test('missing configuration is checked on every call and reported once', async () => {
    const env = { TOKEN: '${secret:later}' }
    const { execute } = await start({ servers: { notes: fixture('notebook', [], { env }) } })
    const why = 'the secret later is not set (ctxd secret set later)'
    for (let count = 0; count < 3; count++) {
      expect(await execute('notes', 'pid')).toMatchObject({ error: { why } })
    }
    expect(gateway.runtime.upstream.health()).toMatchObject([{ state: 'failing', why }])
  })

  test('a server removed during its start is not started again', async () => {
    const env = { STARTS_FILE: '${CONTEXTD_HOME}/starts' }
    const { execute, writeServers, folder } = await start({
      servers: { notes: fixture('naughty', ['hangs-at-start'], { env }) },
    })
    const call = execute('notes', 'pid')
    await until(() => existsSync(join(folder, 'home', 'starts')))
    writeServers({})
    expect(await call).toMatchObject({
      error: { code: 'SERVER_UNAVAILABLE', why: 'its entry was changed or removed in the meantime' },
    })
    expect(gateway.runtime.upstream.health()).toEqual([])
  })

  test('a call uses the entry that is current when it runs', async () => {
    const { runtime, found, writeServers } = await start({
      servers: { notes: fixture('naughty', ['dies-at-start']) },
    })
    const [first, corrected, removed] = [found('notes', 'pid'), found('notes', 'pid'), found('notes', 'pid')]
    expect(await runtime.handle(first)).toMatchObject({ error: { code: 'SERVER_UNAVAILABLE' } })
    writeServers({ notes: fixture('notebook') })
    await until(() => runtime.upstream.health()[0]?.state !== 'failing')
    expect(await runtime.handle(corrected)).toMatchObject({ kind: 'answer' })
    writeServers({})
    await until(() => runtime.upstream.health().length === 0)
    expect(await runtime.handle(removed)).toMatchObject({
      error: { code: 'SERVER_UNAVAILABLE', why: 'no server with this name is configured' },
    })
  })

  test('agents and sessions have separate connections', async () => {
    const { execute, runtime } = await start()
    await execute('notes', 'write', { text: 'of main' })
    expect(textOf(await execute('notes', 'read', {}, as('other')))).toBe('')
    expect(textOf(await execute('notes', 'read', {}, { session: 'another session' }))).toBe('')
    expect(textOf(await execute('notes', 'read'))).toBe('of main')
    expect(runtime.upstream.health()).toMatchObject([{ server: 'notes', connections: 3 }])
    runtime.sessions.end(gateway.session)
    expect(runtime.upstream.health()).toMatchObject([{ server: 'notes', connections: 1 }])
  })

  test('a stateless server has one connection', async () => {
    const { execute, runtime } = await start({
      servers: { notes: fixture('notebook', [], { stateless: true }) },
    })
    await execute('notes', 'write', { text: 'for all' })
    expect(textOf(await execute('notes', 'read', {}, as('other')))).toBe('for all')
    expect(runtime.upstream.health()).toMatchObject([{ server: 'notes', connections: 1 }])
  })

  test('concurrent first calls start one process per agent', async () => {
    const { execute } = await start({ config: '[upstream]\nconnections = 10\n' })
    const calls = Array.from({ length: 30 }, (_, at) =>
      execute('notes', 'pid', {}, { session: `session ${at % 6}` }),
    )
    expect(new Set((await Promise.all(calls)).map(textOf)).size).toBe(6)
  })

  test('limits connections and drops the one idle longest', async () => {
    const { execute, runtime } = await start({ config: '[upstream]\nconnections = 2\n' })
    for (const session of ['a', 'b', 'c']) await execute('notes', 'write', { text: session }, { session })
    expect(runtime.upstream.health()).toMatchObject([{ server: 'notes', connections: 2 }])
    expect(textOf(await execute('notes', 'read', {}, { session: 'c' }))).toBe('c')
    expect(textOf(await execute('notes', 'read', {}, { session: 'a' }))).toBe('')
  })
})

describe('rules', () => {
  const rules: JsonObject = {
    agents: {
      main: {
        allow: { servers: ['notes'], tools: { notes: ['read', 'write'] } },
        deny: { tools: { notes: ['write'] } },
      },
    },
    defaults: { deny_on_missing_agent: false },
  }
  const servers = { notes: fixture('notebook'), secret: fixture('notebook') }

  test('denied tools are not listed', async () => {
    const { call, list } = await start({ servers, rules, transparent: true })
    expect(dataOf(await call('list_servers'))).toMatchObject([{ name: 'notes' }])
    expect(dataOf(await call('get_server_tools', { server: 'notes' }))).toMatchObject({
      total_available: 1,
      tools: [{ name: 'read' }],
    })
    const found = JSON.stringify(dataOf(await call('find_tools', { query: 'notes write read' })))
    expect(found).toContain('read')
    expect(found).not.toMatch(/"write"|secret/)
    const names = (await list()).map(({ name }) => name)
    expect(names).toContain('notes__read')
    expect(names).not.toContain('notes__write')
    expect(names).not.toContain('secret__read')
  })

  test('denied tools cannot be called by any name, and the rule is named', async () => {
    const { execute, call } = await start({ servers, rules, transparent: true })
    const denied = {
      kind: 'refusal',
      error: { code: 'DENIED_BY_POLICY', rule: 'agents.main.deny.tools.notes[0]' },
    }
    expect(await execute('notes', 'write', { text: 'x' })).toMatchObject(denied)
    expect(await call('notes__write', { text: 'x' })).toMatchObject(denied)
    expect(await execute('secret', 'read')).toMatchObject({ error: { rule: 'agents.main.allow.servers' } })
    expect(await call('get_server_tools', { server: 'secret' })).toMatchObject({
      error: { code: 'DENIED_BY_POLICY', server: 'secret', rule: 'agents.main.allow.servers' },
    })
    // Existing and missing servers look the same to a caller without access.
    expect(await execute('nowhere', 'read')).toMatchObject({ error: { rule: 'agents.main.allow.servers' } })
    expect(textOf(await execute('notes', 'read'))).toBe('')
    expect(textOf(await call('notes__read'))).toBe('')
  })

  test('limits apply per server', async () => {
    const limited: JsonObject = {
      ...openRules,
      agents: {
        main: { allow: { servers: ['*'] }, limits: { servers: { notes: { calls_per_minute: 1 } } } },
      },
    }
    const { execute } = await start({ servers, rules: limited })
    expect(textOf(await execute('notes', 'read'))).toBe('')
    expect(await execute('notes', 'read')).toMatchObject({
      error: { code: 'RATE_LIMITED', rule: 'agents.main.limits.servers.notes.calls_per_minute' },
    })
    expect(textOf(await execute('secret', 'read'))).toBe('')
  })
})

test('tools that do not fit are listed by name', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `tool_with_a_long_name_${at}`)
  const { call } = await start({ servers: { many: fixture('any-tools', ['/dev/null', ...names]) } })
  const shown = await call('get_server_tools', { server: 'many' })
  const { tools, returned, total_available, not_shown } = dataOf(shown) as JsonObject
  expect(total_available).toBe(60)
  expect(returned).toBe((tools as JsonObject[]).length)
  expect((tools as JsonObject[]).length + (not_shown as string[]).length).toBe(60)
  expect(shown).not.toMatchObject({ structured: { truncated: true } })
  const [missing] = not_shown as string[]
  const asked = await call('get_server_tools', { server: 'many', names: [missing!] })
  expect(dataOf(asked)).toMatchObject({ returned: 1, tools: [{ name: missing }] })
})
