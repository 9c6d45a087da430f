import { request } from 'node:http'

import { afterEach, describe, expect, test, vi } from 'vitest'

import type { Runtime } from '../src/compose.ts'
import { ContextdError } from '../src/core/errors.ts'
import type { JsonObject } from '../src/core/json.ts'
import { answer } from '../src/core/result.ts'
import type { Tool } from '../src/core/tool.ts'
import { serveHttp, type HttpHandle } from '../src/servers/http-server.ts'
import { createAuditReader } from '../src/stages/audit/query.ts'
import { aTool, doorTools, secret } from './support/door-tools.ts'
import { realRuntime } from './support/real-runtime.ts'
import { initialize, modernMeta } from './support/stdio-door.ts'

interface Fixture {
  readonly runtime: Runtime
  readonly http: HttpHandle
  readonly token: (agent: string) => string
  /** Moves the clock of the door. */
  readonly pass: (minutes: number) => void
  /** Whether the end of a session cannot be written. */
  readonly lock: (locked: boolean) => void
  readonly logged: readonly string[]
  /** Says that the lists have changed. */
  readonly announce: () => void
}

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function start(options: { tools?: readonly Tool[]; messageBytes?: number } = {}): Promise<Fixture> {
  let now = Date.now()
  let locked = false
  const runtime = await realRuntime({ tools: doorTools(), ...options })
  const logged: string[] = []
  const listeners = new Set<() => void>()
  const lockable: Runtime = {
    ...runtime,
    log: (_, message) => void logged.push(message),
    onListChanged(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    sessions: {
      begin: (client) => runtime.sessions.begin(client),
      end(session) {
        if (locked) throw new ContextdError('STORE_UNAVAILABLE', { cause: 'it is locked' })
        runtime.sessions.end(session)
      },
    },
  }
  const http = await serveHttp(lockable, { clock: () => now, graceMs: 50 })
  cleanUps.push(async () => {
    await http.close()
    await runtime.close()
  })
  return {
    runtime,
    http,
    logged,
    token: runtime.tokenFor,
    pass: (minutes) => void (now += minutes * 60_000),
    lock: (is) => void (locked = is),
    announce: () => {
      for (const listener of listeners) listener()
    },
  }
}

interface Reply {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

/** A plain request, with headers that `fetch` would not let us choose. */
function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', headers = {}, body } = options
    const sent = request(url, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

function post(
  url: string,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return send(url, { headers: { ...json, authorization: `Bearer ${token}`, ...headers }, body: bytes })
}

function errorOf({ text }: Reply): JsonObject {
  return (JSON.parse(text) as { error: { data: JsonObject } }).error.data
}

/** The message in a JSON body or a short event stream. */
function messageOf({ text }: Reply): JsonObject {
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '')) as JsonObject
}

function modernCall(
  name: string,
  args: JsonObject = {},
  meta: JsonObject = {},
): [JsonObject, Record<string, string>] {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
  const params = { name, arguments: args, _meta: { ...modernMeta, ...meta } }
  return [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers]
}

async function openSession(url: string, token: string): Promise<string> {
  const opened = await post(url, token, initialize)
  expect(opened.status).toBe(200)
  const id = String(opened.headers['mcp-session-id'])
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }
  expect(
    (await post(url, token, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status,
  ).toBe(202)
  return id
}

function legacyCall(url: string, token: string, session: string, name: string): Promise<Reply> {
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
  return post(
    url,
    token,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
    headers,
  )
}

describe('the guards', () => {
  const [body, headers] = modernCall('echo')

  test('no token, no entry', async () => {
    const { http, token } = await start()
    const without = await send(http.url, { headers: { ...json, ...headers }, body: JSON.stringify(body) })
    expect(without.status).toBe(401)
    expect(without.headers['www-authenticate']).toBe('Bearer realm="contextd"')
    expect(errorOf(without)).toMatchObject({ code: 'UNAUTHORIZED' })
    const wrong = await post(http.url, 'wrong', body, headers)
    expect(wrong.status).toBe(401)
    expect(wrong.headers['www-authenticate']).toContain('error="invalid_token"')
    expect((await post(http.url, token('main'), body, headers)).status).toBe(200)
  })

  test('a foreign Host or Origin is turned away, with a token too', async () => {
    const { http, token } = await start()
    const good = token('main')
    for (const foreign of [
      { host: 'evil.example.com' },
      { origin: 'http://evil.example.com' },
      { origin: 'null' },
    ]) {
      const reply = await post(http.url, good, body, { ...headers, ...foreign })
      expect(reply.status).toBe(403)
      expect(errorOf(reply)).toMatchObject({ code: 'FORBIDDEN_ORIGIN' })
    }
    for (const own of [{ host: 'localhost:1' }, { origin: 'http://127.0.0.1:3000' }]) {
      expect((await post(http.url, good, body, { ...headers, ...own })).status).toBe(200)
    }
  })

  test('a body that is too large is refused, whether or not its length is said', async () => {
    const { http, token } = await start({ messageBytes: 2000 })
    const [large, largeHeaders] = modernCall('echo', { text: 'x'.repeat(3000) })
    for (const extra of [{}, { 'transfer-encoding': 'chunked' }]) {
      const reply = await post(http.url, token('main'), large, { ...largeHeaders, ...extra })
      expect(reply.status).toBe(413)
      expect(errorOf(reply)).toMatchObject({ code: 'MESSAGE_TOO_LARGE', limit: 2000 })
    }
    expect((await post(http.url, token('main'), body, headers)).status).toBe(200)
  })

  test('it does not listen where others can reach it while there is no token', async () => {
    const { runtime } = await start()
    const open = {
      ...runtime,
      config: { ...runtime.config, http: { ...runtime.config.http, host: '0.0.0.0' } },
    }
    await expect(serveHttp({ ...open, tokens: { ...open.tokens, list: () => [] } })).rejects.toThrow(
      /no agent token/,
    )
  })

  test('an address in use is named', async () => {
    const { runtime, http } = await start()
    const port = Number(new URL(http.url).port)
    const same = { ...runtime, config: { ...runtime.config, http: { ...runtime.config.http, port } } }
    await expect(serveHttp(same)).rejects.toMatchObject({
      code: 'LISTEN_FAILED',
      details: { address: `127.0.0.1:${port}` },
    })
  })
})

describe('bad bodies', () => {
  test.each<[string, string | Buffer, string]>([
    ['garbage', 'garbage', 'PARSE_ERROR'],
    ['nothing', '', 'PARSE_ERROR'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'PARSE_ERROR'],
    ['deep JSON', `${'['.repeat(5000)}${']'.repeat(5000)}`, 'INVALID_REQUEST'],
    ['no JSON-RPC', '{"hello":1}', 'INVALID_REQUEST'],
    [
      'a wrong type',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}',
      'INVALID_ARGUMENTS',
    ],
  ])('%s', async (_, bytes, code) => {
    const { http, token } = await start()
    const reply = await post(http.url, token('main'), bytes)
    expect(reply.status).toBe(400)
    expect(errorOf(reply)).toMatchObject({ code })
    const [body, headers] = modernCall('echo')
    expect((await post(http.url, token('main'), body, headers)).status).toBe(200)
  })

  test.each<[string, JsonObject, JsonObject[]]>([
    [
      'a client name that is no text',
      { clientInfo: { name: 5, version: '1' } },
      [{ field: 'params.clientInfo.name', expected: 'a string' }],
    ],
    [
      'capabilities of another type, under a name that is a secret',
      { capabilities: { experimental: { [secret]: 5 } } },
      [{ field: 'params.capabilities.experimental.[SECRET_1]', expected: 'an object' }],
    ],
  ])('an initialize with %s says which field', async (_, wrong, fields) => {
    const { http, token } = await start()
    const reply = await post(http.url, token('main'), {
      ...initialize,
      params: { ...initialize.params, ...wrong },
    })
    expect(reply.status).toBe(400)
    expect(errorOf(reply)).toMatchObject({ code: 'INVALID_ARGUMENTS', fields })
    expect(reply.text).not.toContain(secret)
    await openSession(http.url, token('main'))
  })

  test('what the SDK refuses is refused in our words, up to 2025-11-25', async () => {
    const { http, token } = await start()
    const headers = { 'mcp-session-id': await openSession(http.url, token('main')) }
    const ask = (body: unknown, more = {}): Promise<Reply> =>
      post(http.url, token('main'), body, { ...headers, ...more })
    const request = (method: string, params: JsonObject = {}): JsonObject => ({
      jsonrpc: '2.0',
      id: 1,
      method,
      params,
    })
    expect(messageOf(await ask(request('tools/list', { cursor: 5 })))).toMatchObject({
      error: { code: -32602, data: { code: 'INVALID_ARGUMENTS', fields: [{ field: 'params.cursor' }] } },
    })
    expect(messageOf(await ask(request('no/such')))).toMatchObject({
      error: { code: -32601, data: { code: 'INVALID_REQUEST' } },
    })
    expect(errorOf(await ask([{ nonsense: true }]))).toMatchObject({ code: 'INVALID_REQUEST' })
    const unacceptable = await ask(request('ping'), { accept: 'text/plain' })
    expect([unacceptable.status, errorOf(unacceptable).code]).toEqual([406, 'INVALID_REQUEST'])
    expect(messageOf(await ask(request('tools/list')))).toHaveProperty('result.tools')
  })

  test('and from 2026-07-28', async () => {
    const { http, token } = await start()
    const ask = (method: string, params: JsonObject, meta: JsonObject = {}): Promise<Reply> =>
      post(
        http.url,
        token('main'),
        { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...modernMeta, ...meta } } },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      )
    expect(messageOf(await ask('tools/list', { cursor: 5 }))).toMatchObject({
      id: 1,
      error: { code: -32602, data: { code: 'INVALID_ARGUMENTS', fields: [{ field: 'params.cursor' }] } },
    })
    const unknown = await ask('no/such', {})
    expect(unknown.status).toBe(404)
    expect(messageOf(unknown)).toMatchObject({ error: { code: -32601, data: { code: 'INVALID_REQUEST' } } })
    const wrongClient = await ask('tools/list', {}, { 'io.modelcontextprotocol/clientInfo': { name: 5 } })
    expect(wrongClient.status).toBe(400)
    expect(errorOf(wrongClient)).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      fields: [{ field: 'params._meta.io.modelcontextprotocol/clientInfo.name', expected: 'a string' }],
    })
    const capabilities = { experimental: { [secret]: 5 } }
    const leaky = await ask('tools/list', {}, { 'io.modelcontextprotocol/clientCapabilities': capabilities })
    expect(errorOf(leaky)).toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect(leaky.text).not.toContain(secret)
    expect(messageOf(await ask('tools/list', {}))).toHaveProperty('result.tools')
  })

  test('a client name with control characters is no obstacle', async () => {
    const { runtime, http, token } = await start()
    const clientInfo = { name: 'a\0b', version: '1' }
    const opened = await post(http.url, token('main'), {
      ...initialize,
      params: { ...initialize.params, clientInfo },
    })
    const session = String(opened.headers['mcp-session-id'])
    expect(messageOf(await legacyCall(http.url, token('main'), session, 'echo'))).toHaveProperty('result')
    const audit = createAuditReader({ store: runtime.store, tenant: 'local', clock: Date.now })
    expect(JSON.stringify(audit.query({ tool: 'echo' }))).toContain('a\uFFFDb')
  })

  test('other methods and paths', async () => {
    const { http, token } = await start()
    const headers = { authorization: `Bearer ${token('main')}` }
    expect((await send(http.url, { method: 'PUT', headers })).status).toBe(405)
    expect((await send(http.url.replace('/mcp', '/other'), { method: 'GET', headers })).status).toBe(404)
    expect(
      (await send(http.url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } })).status,
    ).toBe(400)
  })

  test('a header that contradicts the body is refused', async () => {
    const marked: Tool = {
      ...aTool('marked', async () => answer('ran')),
      definition: {
        name: 'marked',
        description: 'marked',
        inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
      },
    }
    const { http, token } = await start({ tools: [marked] })
    const [body, headers] = modernCall('marked', { region: 'eu' })
    const wrong = await post(http.url, token('main'), body, { ...headers, 'mcp-param-region': 'us' })
    expect(wrong.status).toBe(400)
    expect(messageOf(wrong)).toMatchObject({
      id: 1,
      error: { code: -32020, data: { header: 'Mcp-Param-Region' } },
    })
    const right = await post(http.url, token('main'), body, { ...headers, 'mcp-param-region': 'eu' })
    expect(messageOf(right)).toMatchObject({ result: { structuredContent: { data: 'ran' } } })
  })
})

describe('sessions up to 2025-11-25', () => {
  test('belong to the token that opened them', async () => {
    const { http, token } = await start()
    const [mine, theirs] = [token('main'), token('default')]
    const session = await openSession(http.url, mine)
    const stolen = await legacyCall(http.url, theirs, session, 'echo')
    expect(stolen.status).toBe(404)
    expect(errorOf(stolen)).toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect((await legacyCall(http.url, mine, session, 'echo')).status).toBe(200)
  })

  test('end when they have been idle, not before', async () => {
    const { http, token, pass } = await start()
    const session = await openSession(http.url, token('main'))
    pass(29)
    await http.sweep()
    expect((await legacyCall(http.url, token('main'), session, 'echo')).status).toBe(200)
    pass(30)
    await http.sweep()
    expect((await legacyCall(http.url, token('main'), session, 'echo')).status).toBe(404)
  })

  test('end when the client says so', async () => {
    const { http, token } = await start()
    const session = await openSession(http.url, token('main'))
    const headers = { authorization: `Bearer ${token('main')}`, 'mcp-session-id': session }
    expect((await send(http.url, { method: 'DELETE', headers })).status).toBe(200)
    expect((await legacyCall(http.url, token('main'), session, 'echo')).status).toBe(404)
  })

  test('stay whole where their end cannot be written, and end later', async () => {
    const { http, token, lock, pass, logged } = await start()
    const session = await openSession(http.url, token('main'))
    const headers = { authorization: `Bearer ${token('main')}`, 'mcp-session-id': session }
    lock(true)
    const refused = await send(http.url, { method: 'DELETE', headers })
    expect(refused.status).toBe(503)
    expect(errorOf(refused)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect((await legacyCall(http.url, token('main'), session, 'echo')).status).toBe(200)
    pass(31)
    await http.sweep()
    expect(logged).toContain('a session could not be ended')
    lock(false)
    expect((await send(http.url, { method: 'DELETE', headers })).status).toBe(200)
    expect((await legacyCall(http.url, token('main'), session, 'echo')).status).toBe(404)
  })

  test('an event stream ends when its token is revoked, and no other', async () => {
    const { runtime, http, token, announce } = await start()
    const listen = async (agent: string): Promise<Response> => {
      const session = await openSession(http.url, token(agent))
      const headers = { authorization: `Bearer ${token(agent)}`, 'mcp-session-id': session }
      return fetch(http.url, { headers: { ...headers, accept: 'text/event-stream' } })
    }
    const [revoked, live] = [await listen('main'), await listen('default')]
    const ended = revoked.text().catch(() => 'ended')
    const { id = '' } = runtime.tokens.list().find(({ agent }) => agent === 'main') ?? {}
    runtime.tokens.revoke(id)
    await http.sweep()
    await ended
    announce()
    const reader = live.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('list_changed')
    await reader.cancel()
  })

  test('an event stream that broke can be opened again', async () => {
    const { http, token } = await start()
    const session = await openSession(http.url, token('main'))
    const headers = {
      authorization: `Bearer ${token('main')}`,
      accept: 'text/event-stream',
      'mcp-session-id': session,
    }
    for (let turn = 0; turn < 3; turn += 1) {
      await vi.waitFor(async () => {
        const stop = new AbortController()
        const { status } = await fetch(http.url, { headers, signal: stop.signal })
        stop.abort()
        expect(status).toBe(200)
      })
    }
  })

  test('are asked for where the header is missing', async () => {
    const { http, token } = await start()
    const reply = await post(http.url, token('main'), { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(reply.status).toBe(400)
    expect(errorOf(reply)).toMatchObject({ code: 'INVALID_REQUEST' })
  })
})

describe('sessions from 2026-07-28', () => {
  const which = aTool('which', async (_, { call }) =>
    answer({ session: call.session, token: call.claims.token?.agent ?? null }),
  )
  const ask = async ({ http, token }: Fixture, agent: string, named?: string): Promise<JsonObject> => {
    const [body, headers] = modernCall(
      'which',
      {},
      named === undefined ? {} : { 'dev.contextd/session': named },
    )
    const reply = messageOf(await post(http.url, token(agent), body, headers))
    return (reply as { result: { structuredContent: { data: JsonObject } } }).result.structuredContent.data
  }

  test('roll on per token until idle', async () => {
    const fixture = await start({ tools: [which] })
    const first = await ask(fixture, 'main')
    expect(first.token).toBe('main')
    expect(await ask(fixture, 'main')).toEqual(first)
    expect((await ask(fixture, 'default')).session).not.toBe(first.session)
    fixture.pass(31)
    await fixture.http.sweep()
    expect((await ask(fixture, 'main')).session).not.toBe(first.session)
  })

  test('can be named by the token that opened them, and by no other', async () => {
    const fixture = await start({ tools: [which] })
    const { http, token } = fixture
    const session = await openSession(http.url, token('main'))
    expect((await ask(fixture, 'main', session)).session).toBe(session)
    expect((await ask(fixture, 'default', session)).session).not.toBe(session)
  })
})

test('a question can be answered only for the call it was asked in', async () => {
  const { http, token } = await start()
  const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
  const round = async (
    args: JsonObject,
    answers: JsonObject,
    requestState?: string,
    agent = 'main',
  ): Promise<JsonObject> => {
    const [body, headers] = modernCall('ask_twice', args, capabilities)
    Object.assign(body.params as JsonObject, {
      inputResponses: answers,
      ...(requestState !== undefined && { requestState }),
    })
    return messageOf(await post(http.url, token(agent), body, headers))
  }
  const accept = (reply: string): JsonObject => ({ action: 'accept', content: { reply } })
  const second = await round({}, { 'ask-1': accept('Ada') })
  expect(second).toMatchObject({ result: { resultType: 'input_required', inputRequests: { 'ask-2': {} } } })
  const { requestState } = (second as { result: { requestState: string } }).result
  const rest = { 'ask-2': accept('blue') }
  for (const forged of [
    await round({}, rest, `${requestState.slice(0, -2)}AA`),
    await round({ other: 'arguments' }, rest, requestState),
    await round({}, rest, requestState, 'default'),
  ]) {
    expect(forged).toMatchObject({ error: { code: -32602, data: { reason: 'invalid_request_state' } } })
  }
  expect(await round({}, rest, requestState)).toMatchObject({
    result: { structuredContent: { data: { name: { reply: 'Ada' }, colour: { reply: 'blue' } } } },
  })
})

test('/healthz says nothing but that it lives; /metrics wants the token', async () => {
  const { http, token } = await start()
  const at = (path: string): string => http.url.replace('/mcp', path)
  const health = await send(at('/healthz'), { method: 'GET' })
  expect([health.status, JSON.parse(health.text)]).toEqual([200, { status: 'ok' }])
  expect((await send(at('/metrics'), { method: 'GET' })).status).toBe(401)
  const [body, headers] = modernCall('echo')
  await post(http.url, token('main'), body, headers)
  const metrics = await send(at('/metrics'), {
    method: 'GET',
    headers: { authorization: `Bearer ${token('main')}` },
  })
  expect(metrics.text).toContain('contextd_calls_total{method="tool",outcome="answer"} 1\n')
  expect(metrics.text).toContain('contextd_http_requests_total{path="/mcp",status="200"} 1\n')
  expect(metrics.text).toContain('contextd_http_sessions 1\n')
})

test('closing cancels what still runs, and records it', async () => {
  const { runtime, http, token } = await start()
  const [body, headers] = modernCall('wait', {}, { progressToken: 1 })
  const auth = { authorization: `Bearer ${token('main')}` }
  const running = await fetch(http.url, {
    method: 'POST',
    headers: { ...json, ...headers, ...auth },
    body: JSON.stringify(body),
  })
  // The headers come with the first progress, so the tool has begun.
  expect(running.headers.get('x-accel-buffering')).toBe('no')
  await http.close()
  const audit = createAuditReader({ store: runtime.store, tenant: 'local', clock: Date.now })
  expect(audit.query({ tool: 'wait' })).toMatchObject([{ status: 'done', error: 'CANCELLED' }])
  await expect(send(http.url, { method: 'GET' })).rejects.toThrow(/ECONNREFUSED/)
})
