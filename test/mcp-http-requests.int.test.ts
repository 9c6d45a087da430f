import { describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../src/core/result.ts'
import type { Tool } from '../src/core/tool.ts'
import { serveHttp } from '../src/servers/http/server.ts'
import { createAuditReader } from '../src/stages/audit/query.ts'
import { aTool, secret } from './support/door-tools.ts'
import {
  errorOf,
  json,
  legacyCall,
  messageOf,
  modernCall,
  openSession,
  post,
  type Reply,
  send,
  start,
} from './support/http-door.ts'
import { initialize, modernMeta } from './support/stdio-door.ts'

describe('the guards', () => {
  const [body, headers] = modernCall('echo')

  test('requests without a valid token are rejected', async () => {
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

  test('a foreign Host or Origin is refused, even with a token', async () => {
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

  test('a body that is too large is refused, with or without Content-Length', async () => {
    const { http, token } = await start({ messageBytes: 2000 })
    const [large, largeHeaders] = modernCall('echo', { text: 'x'.repeat(3000) })
    for (const extra of [{}, { 'transfer-encoding': 'chunked' }]) {
      const reply = await post(http.url, token('main'), large, { ...largeHeaders, ...extra })
      expect(reply.status).toBe(413)
      expect(errorOf(reply)).toMatchObject({ code: 'MESSAGE_TOO_LARGE', limit: 2000 })
    }
    expect((await post(http.url, token('main'), body, headers)).status).toBe(200)
  })

  test('does not listen beyond loopback without tokens', async () => {
    const { runtime } = await start()
    const open = {
      ...runtime,
      config: { ...runtime.config, http: { ...runtime.config.http, host: '0.0.0.0' } },
    }
    await expect(serveHttp({ ...open, tokens: { ...open.tokens, list: () => [] } })).rejects.toThrow(
      /no agent token/,
    )
  })

  test('an address in use is reported', async () => {
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
      'a client name that is not a string',
      { clientInfo: { name: 5, version: '1' } },
      [{ field: 'params.clientInfo.name', expected: 'a string' }],
    ],
    [
      'capabilities of another type, under a name that is a secret',
      { capabilities: { experimental: { [secret]: 5 } } },
      [{ field: 'params.capabilities.experimental.[SECRET_1]', expected: 'an object' }],
    ],
  ])('an initialize with %s reports the field', async (_, wrong, fields) => {
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

  test('errors of the SDK are replaced by ours, up to 2025-11-25', async () => {
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

  test('a client name with control characters is accepted', async () => {
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
