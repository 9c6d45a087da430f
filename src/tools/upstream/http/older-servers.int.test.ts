import { describe, expect, test } from 'vitest'

import { callTool, httpConnector, until } from '../../../../test/support/http-connection.ts'
import { newServer } from '../../../../test/support/http-fixture-server.ts'
import {
  initialized,
  serveByHand,
  serveOldStyle,
  serveSessions,
  strange,
} from '../../../../test/support/http-upstreams.ts'
import { webServers } from '../../../../test/support/web-servers.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { ConnectionLost, ServerError } from '../connection.ts'

const web = webServers()
const { connect, notices } = httpConnector()

describe('a server up to 2025-11-25', () => {
  test('has a session that ends with the connection', async () => {
    const there = await serveSessions(web, newServer)
    const connection = await connect(there.url)
    expect(connection).toMatchObject({ era: 'legacy', server: { name: 'fixture', version: '2' } })
    expect(await callTool(connection, 'echo', { b: 2 })).toEqual({
      content: [{ type: 'text', text: '{"b":2}' }],
    })
    expect(there.open.size).toBe(1)
    await connection.close()
    expect(there.ended).toEqual([...there.open.keys()])
    expect(await connection.ended).toBeInstanceOf(ConnectionLost)
    await expect(callTool(connection, 'echo')).rejects.toMatchObject({ sent: false })
  })

  test('asks during a request, and the capable request answers', async () => {
    const { url } = await serveSessions(web, newServer)
    const connection = await connect(url)
    const result = await callTool(
      connection,
      'ask',
      {},
      {
        asks: ['elicitation'],
        ask: async ({ kind, params }) => ({ action: 'accept', content: { kind, message: params.message! } }),
      },
    )
    const [{ text }] = result.content as [{ text: string }]
    expect(JSON.parse(text)).toEqual({ action: 'accept', content: { kind: 'elicitation', message: 'Who?' } })
    await expect(callTool(connection, 'ask')).rejects.toThrow(ServerError)
  })

  test('sends progress, log messages and changes', async () => {
    const there = await serveSessions(web, newServer)
    const connection = await connect(there.url)
    const seen: unknown[] = []
    await callTool(
      connection,
      'steps',
      {},
      {
        logLevel: 'debug',
        onProgress: ({ progress }) => seen.push(progress),
        onLog: (level, message) => seen.push([level, message]),
      },
    )
    expect(seen).toEqual([1, 2, ['info', 'halfway']])
    await connection.subscribe('test://b')
    await connection.unsubscribe('test://b')
    const [server] = there.open.values()
    // The stream for these is opened concurrently with the first requests.
    await until(() => {
      void server!.notification({ method: 'notifications/tools/list_changed' }).catch(() => {})
      return notices.length > 0
    })
    expect(notices[0]).toEqual({ kind: 'list', list: 'tools' })
  })

  test('gets cancellations', async () => {
    const { url } = await serveSessions(web, newServer)
    const connection = await connect(url)
    const abort = new AbortController()
    const call = callTool(connection, 'slow', {}, { signal: abort.signal })
    await callTool(connection, 'echo')
    abort.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(await callTool(connection, 'echo')).toBeDefined()
  })

  test('can lose its session; the request is unsent, and the next connection has a new session', async () => {
    const there = await serveSessions(web, newServer)
    const connection = await connect(there.url)
    there.forget()
    await expect(callTool(connection, 'echo')).rejects.toMatchObject({
      name: 'ConnectionLost',
      sent: false,
      message: 'its session has expired',
    })
    expect((await connection.ended).message).toBe('its session has expired')
    expect(await callTool(await connect(there.url), 'echo')).toBeDefined()
  })

  test.each([
    [404, { code: -32001, message: 'Session not found' }],
    [400, { code: -32000, message: 'Bad Request: No valid session ID provided' }],
  ])('reports an expired session with %i', async (status, error) => {
    const url = await serveByHand(web, ({ message, response, reply, refuse }) => {
      if (message.method === 'server/discover') return refuse({ code: -32601, message: 'no' }, 404)
      if (message.method !== 'initialize')
        return message.id === undefined ? response.writeHead(202).end() : refuse(error, status)
      response.setHeader('mcp-session-id', 'one')
      return reply(initialized)
    })
    await expect(callTool(await connect(url), 'x')).rejects.toMatchObject({ sent: false })
  })
})

describe('an SSE server', () => {
  const answer = (message: JsonObject, send: (message: JsonObject) => void): void => {
    if (message.method === 'initialize') send({ jsonrpc: '2.0', id: message.id!, result: initialized })
    else if (message.id !== undefined) send({ jsonrpc: '2.0', id: message.id, result: strange })
  }

  test.each(['sse', 'http'] as const)('is found if declared as %s', async (kind) => {
    const there = await serveOldStyle(web, answer)
    const connection = await connect({ kind, url: there.url })
    expect(connection.era).toBe('legacy')
    expect(await callTool(connection, 'x')).toEqual(strange)
    await connection.close()
    await until(() => there.streams() === 0)
  })

  test('ends with its stream', async () => {
    const there = await serveOldStyle(web, (message, send) => {
      if (message.method === 'initialize') answer(message, send)
      else if (message.id !== undefined) there.hangUp()
    })
    const connection = await connect({ kind: 'sse', url: there.url })
    await expect(callTool(connection, 'x')).rejects.toMatchObject({ name: 'ConnectionLost', sent: true })
    expect((await connection.ended).message).toBe('its event stream ended')
  })
})
