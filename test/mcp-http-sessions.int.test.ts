import { describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../src/core/result.ts'
import { createAuditReader } from '../src/stages/audit/query.ts'
import { aTool } from './support/door-tools.ts'
import {
  errorOf,
  type Fixture,
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
import { until } from '@contextd/shared/testing/until'

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

  test('end after the idle time, not before', async () => {
    const { http, token, pass } = await start()
    const session = await openSession(http.url, token('main'))
    pass(29)
    await http.sweep()
    expect((await legacyCall(http.url, token('main'), session, 'echo')).status).toBe(200)
    pass(30)
    await http.sweep()
    expect((await legacyCall(http.url, token('main'), session, 'echo')).status).toBe(404)
  })

  test('end when the client ends them', async () => {
    const { http, token } = await start()
    const session = await openSession(http.url, token('main'))
    const headers = { authorization: `Bearer ${token('main')}`, 'mcp-session-id': session }
    expect((await send(http.url, { method: 'DELETE', headers })).status).toBe(200)
    expect((await legacyCall(http.url, token('main'), session, 'echo')).status).toBe(404)
  })

  test('stay open if their end cannot be written, and end later', async () => {
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

  test('a broken event stream can be reopened', async () => {
    const { http, token } = await start()
    const session = await openSession(http.url, token('main'))
    const headers = {
      authorization: `Bearer ${token('main')}`,
      accept: 'text/event-stream',
      'mcp-session-id': session,
    }
    for (let turn = 0; turn < 3; turn += 1) {
      await until(async () => {
        const stop = new AbortController()
        const { status } = await fetch(http.url, { headers, signal: stop.signal })
        stop.abort()
        return status === 200
      })
    }
  })

  test('a call ends when its client disconnects, because nobody would receive the answer', async () => {
    const { http, token } = await start()
    const session = await openSession(http.url, token('main'))
    const stop = new AbortController()
    const headers = {
      authorization: `Bearer ${token('main')}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': session,
    }
    const params = { name: 'wait', arguments: {}, _meta: { progressToken: 1 } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
    const response = await fetch(http.url, { method: 'POST', headers, body, signal: stop.signal })
    const reader = response.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('waiting')
    stop.abort()
    const why = await legacyCall(http.url, token('main'), session, 'why_aborted')
    expect(JSON.stringify(messageOf(why))).toContain('CANCELLED')
  })

  test('are required: a missing header is an error', async () => {
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

  test('continue per token until idle', async () => {
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
  const second = await round({}, { 'dev.contextd/ask-1': accept('Ada') })
  expect(second).toMatchObject({
    result: { resultType: 'input_required', inputRequests: { 'dev.contextd/ask-2': {} } },
  })
  const { requestState } = (second as { result: { requestState: string } }).result
  const rest = { 'dev.contextd/ask-2': accept('blue') }
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

test('/healthz reveals only that it runs; /metrics requires the token', async () => {
  const { http, token } = await start()
  const at = (path: string): string => http.url.replace('/mcp', path)
  const health = await send(at('/healthz'), { method: 'GET' })
  expect([health.status, JSON.parse(health.text)]).toEqual([200, { status: 'ok' }])
  expect((await send(at('/metrics'), { method: 'GET' })).status).toBe(401)
  const [body, headers] = modernCall('echo')
  await post(http.url, token('main'), body, headers)
  const measured = (): Promise<Reply> =>
    send(at('/metrics'), { method: 'GET', headers: { authorization: `Bearer ${token('main')}` } })
  // A request is counted when its connection is released, after its response.
  await until(async () => (await measured()).text.includes('path="/mcp"'))
  const metrics = await measured()
  expect(metrics.text).toContain(
    'contextd_calls_total{door="http",method="tool",outcome="answered",error=""} 1\n',
  )
  expect(metrics.text).toContain('contextd_http_requests_total{path="/mcp",status="200"} 1\n')
  expect(metrics.text).toContain('contextd_http_sessions 1\n')
})

test('closing cancels running calls, and records that', async () => {
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
