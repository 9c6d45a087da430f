import { Server } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'

import { callTool, exchange, httpConnector, until } from '../../../../test/support/http-connection.ts'
import {
  discovered,
  initialized,
  serveByHand,
  serveModern,
  serveOldStyle,
  serveSessions,
} from '../../../../test/support/http-upstreams.ts'
import { webServers } from '../../../../test/support/web-servers.ts'
import type { JsonObject } from '../../../core/json.ts'
import { ConnectionLost, ServerError } from '../connection.ts'

const web = webServers()
const { connect, notices } = httpConnector()

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
}

function newServer(): Server {
  const server = new Server({ name: 'fixture', version: '2' }, { capabilities, instructions: 'Be kind.' })
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'echo', inputSchema: { type: 'object' as const } }],
  }))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params
    if (name === 'ask') {
      const asked = await mcpReq.send({
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
      })
      return { content: [{ type: 'text' as const, text: JSON.stringify(asked) }] }
    }
    if (name === 'slow') await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve))
    if (name === 'steps') {
      const progressToken = mcpReq._meta!.progressToken!
      for (const progress of [1, 2]) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 2 },
        })
      }
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 'halfway' } })
    }
    return { content: [{ type: 'text' as const, text: JSON.stringify(args) }] }
  })
  return server
}

/** What only the wire can show: fields that no schema knows, in every place. */
const strange: JsonObject = {
  content: [
    { type: 'hologram', beam: [1, 2] },
    { type: 'resource_link', uri: 'file:///x', name: 'x', extra: true },
  ],
  structuredContent: [1, { deep: null }],
  isError: false,
  annotations: { made: 'up' },
  _meta: { 'com.example/x': { y: 1 }, progressToken: 9 },
  unknown: { kept: true },
}

describe('a server from 2026-07-28 on', () => {
  test('introduces itself and answers', async () => {
    const connection = await connect(await serveModern(web, newServer))
    expect(connection).toMatchObject({
      era: 'modern',
      server: { name: 'fixture', version: '2' },
      instructions: 'Be kind.',
    })
    expect(connection.capabilities).toMatchObject({ tools: { listChanged: true } })
    const result = await callTool(connection, 'echo', { a: 1 })
    expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: '{"a":1}' }] })
  })

  test('is spoken to in the newer way where it knows both', async () => {
    const connection = await connect(await serveModern(web, newServer, 'stateless'))
    expect(connection.era).toBe('modern')
    const older = await connect(await serveModern(web, newServer, 'stateless'), 'legacy')
    expect(older.era).toBe('legacy')
    expect(await callTool(older, 'echo', {})).toMatchObject({ content: [{ text: '{}' }] })
  })

  test('hands out progress and messages while it works', async () => {
    const connection = await connect(await serveModern(web, newServer))
    const seen: unknown[] = []
    await callTool(
      connection,
      'steps',
      {},
      {
        logLevel: 'info',
        onProgress: (progress) => seen.push(progress),
        onLog: (level, message) => seen.push([level, message]),
      },
    )
    expect(seen).toEqual([{ progress: 1, total: 2 }, { progress: 2, total: 2 }, ['info', 'halfway']])
  })

  test('hears with each request what the caller can be asked, and what it wants to hear', async () => {
    const metas: JsonObject[] = []
    const url = await serveByHand(web, ({ message, reply }) => {
      metas.push((message.params as JsonObject)._meta as JsonObject)
      reply(message.method === 'server/discover' ? discovered : { resultType: 'complete', tools: [] })
    })
    const connection = await connect(url)
    await connection.request('tools/list', {}, exchange({ asks: ['elicitation'], logLevel: 'warning' }))
    expect(metas.at(-1)).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
      'io.modelcontextprotocol/logLevel': 'warning',
    })
    await connection.request('tools/list', {}, exchange())
    expect(metas.at(-1)!['io.modelcontextprotocol/clientCapabilities']).toEqual({})
    expect(metas.at(-1)).not.toHaveProperty(['io.modelcontextprotocol/logLevel'])
  })

  test('gets the headers that a tool asks for, and a tool that asks wrongly is not there', async () => {
    const headers: (string | undefined)[] = []
    const tool = (header: string): JsonObject => ({
      name: header,
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': header } } },
    })
    const url = await serveByHand(web, ({ message, request, reply }) => {
      if (message.method === 'server/discover') return reply(discovered)
      headers.push(request.headers['mcp-param-region'] as string | undefined)
      return reply(
        message.method === 'tools/list'
          ? { resultType: 'complete', tools: [tool('Region'), tool('not a token')] }
          : { resultType: 'complete', content: [] },
      )
    })
    const connection = await connect(url)
    const { tools } = await connection.request('tools/list', {}, exchange())
    expect((tools as JsonObject[]).map(({ name }) => name)).toEqual(['Region'])
    const inputSchema = tool('Region').inputSchema as JsonObject
    await callTool(connection, 'Region', { region: 'Zürich' }, { inputSchema })
    expect(headers.at(-1)).toBe(`=?base64?${Buffer.from('Zürich').toString('base64')}?=`)
    const wrong = tool('not a token').inputSchema as JsonObject
    await expect(callTool(connection, 'x', {}, { inputSchema: wrong })).rejects.toThrow(ServerError)
  })

  test('ends a request with its questions, which come back as they are', async () => {
    const question: JsonObject = {
      resultType: 'input_required',
      inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?', odd: 1 } } },
      requestState: 'opaque',
      _meta: { a: 1 },
      unknown: 2,
    }
    const url = await serveByHand(web, ({ message, reply }) =>
      reply(message.method === 'server/discover' ? discovered : question),
    )
    expect(await callTool(await connect(url), 'ask')).toEqual(question)
  })

  test('tells of changes once it is listened to', async () => {
    const listening = new Map<number, JsonObject>()
    const url = await serveByHand(web, ({ message, reply, stream }) => {
      if (message.method === 'server/discover') return reply({ ...discovered, capabilities })
      const { notifications } = message.params as JsonObject
      const send = stream()
      const _meta = { 'io.modelcontextprotocol/subscriptionId': message.id! }
      listening.set(message.id as number, notifications as JsonObject)
      const tell = (method: string, params: JsonObject): void =>
        send({ jsonrpc: '2.0', method, params: { ...params, _meta } })
      tell('notifications/subscriptions/acknowledged', { notifications: notifications! })
      if ((notifications as JsonObject).resourceSubscriptions === undefined) return undefined
      tell('notifications/tools/list_changed', {})
      return tell('notifications/resources/updated', { uri: 'test://a' })
    })
    const connection = await connect(url)
    await connection.subscribe('test://a')
    await until(() => notices.length === 2)
    expect(notices).toEqual([
      { kind: 'list', list: 'tools' },
      { kind: 'resource', uri: 'test://a' },
    ])
    expect([...listening.values()].at(-1)).toEqual({
      toolsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['test://a'],
    })
  })

  test('sees the request hung up when nobody waits any more', async () => {
    let isThere = false
    let isGone = false
    const url = await serveByHand(web, ({ message, response, reply, stream }) => {
      if (message.method === 'server/discover') return reply(discovered)
      isThere = true
      response.once('close', () => (isGone = true))
      return stream()(': waiting\n\n')
    })
    const connection = await connect(url)
    const abort = new AbortController()
    const call = callTool(connection, 'slow', {}, { signal: abort.signal })
    await until(() => isThere)
    abort.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    await until(() => isGone)
  })
})

describe('a server up to 2025-11-25', () => {
  test('keeps a session, which ends with the connection', async () => {
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

  test('asks while it works, and the request that can answers', async () => {
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

  test('hands out progress, messages and changes', async () => {
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
    // The stream that these come by is opened beside the first requests.
    await until(() => {
      void server!.notification({ method: 'notifications/tools/list_changed' }).catch(() => {})
      return notices.length > 0
    })
    expect(notices[0]).toEqual({ kind: 'list', list: 'tools' })
  })

  test('is told what nobody waits for any more', async () => {
    const { url } = await serveSessions(web, newServer)
    const connection = await connect(url)
    const abort = new AbortController()
    const call = callTool(connection, 'slow', {}, { signal: abort.signal })
    await callTool(connection, 'echo')
    abort.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(await callTool(connection, 'echo')).toBeDefined()
  })

  test('loses its session: the request was not seen, and the next connection has a new one', async () => {
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
  ])('says so with %i', async (status, error) => {
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

describe('a server of the oldest kind', () => {
  const answer = (message: JsonObject, send: (message: JsonObject) => void): void => {
    if (message.method === 'initialize') send({ jsonrpc: '2.0', id: message.id!, result: initialized })
    else if (message.id !== undefined) send({ jsonrpc: '2.0', id: message.id, result: strange })
  }

  test.each(['sse', 'http'] as const)('is found where it is declared as %s', async (kind) => {
    const there = await serveOldStyle(web, answer)
    const connection = await connect({ kind, url: there.url })
    expect(connection.era).toBe('legacy')
    expect(await callTool(connection, 'x')).toEqual(strange)
    await connection.close()
    await until(() => there.streams() === 0)
  })

  test('is over when its stream is', async () => {
    const there = await serveOldStyle(web, (message, send) => {
      if (message.method === 'initialize') answer(message, send)
      else if (message.id !== undefined) there.hangUp()
    })
    const connection = await connect({ kind: 'sse', url: there.url })
    await expect(callTool(connection, 'x')).rejects.toMatchObject({ name: 'ConnectionLost', sent: true })
    expect((await connection.ended).message).toBe('its event stream ended')
  })
})

describe.each(['modern', 'legacy'] as const)('what a %s server says', (protocol) => {
  const opening = protocol === 'modern' ? discovered : initialized
  const isOpening = ({ method, id }: JsonObject): boolean =>
    method === 'server/discover' || method === 'initialize' || id === undefined

  test('comes back as it is', async () => {
    const url = await serveByHand(web, ({ message, reply }) => reply(isOpening(message) ? opening : strange))
    expect(await callTool(await connect(url, protocol), 'x')).toEqual(strange)
  })

  test.each([
    [200, { code: -32002, message: 'Resource not found', data: { uri: 'x', more: [1] } }],
    [200, { code: -32042, message: 'MCP error -32042: open this', data: { elicitations: [], also: 1 } }],
    [400, { code: -32602, message: 'bad', data: 'why' }],
    [404, { code: -32601, message: 'Method not found' }],
    [500, { code: 7, message: 'own code', data: null }],
  ])('comes back with its own words where it is an error (HTTP %i)', async (status, error) => {
    const url = await serveByHand(web, ({ message, reply, refuse }) =>
      isOpening(message) ? reply(opening) : refuse(error, status),
    )
    const failure = await callTool(await connect(url, protocol), 'x').catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(ServerError)
    const { code, message, data } = failure as ServerError
    expect({ code, message, ...(data !== undefined && { data }) }).toEqual(error)
  })
})

test('a start that takes too long is given up, and the server sees it', async () => {
  let isGone = false
  const url = await serveByHand(web, ({ response }) => {
    response.once('close', () => (isGone = true))
  })
  await expect(connect(url, 'auto', { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/)
  await until(() => isGone)
})

test.each(['modern', 'legacy', 'sse'] as const)(
  'nothing is left of a %s connection that was closed',
  async (manner) => {
    const answer = (message: JsonObject, send: (message: JsonObject) => void): void => {
      if (message.id !== undefined) send({ jsonrpc: '2.0', id: message.id, result: initialized })
    }
    const url =
      manner === 'modern'
        ? await serveModern(web, newServer)
        : (await (manner === 'legacy' ? serveSessions(web, newServer) : serveOldStyle(web, answer))).url
    const handles = (): number =>
      process.getActiveResourcesInfo().filter((kind) => /^TCPSocketWrap|^TCPConnectWrap/.test(kind)).length
    await until(() => handles() === 0)
    const connection = await connect(
      { kind: manner === 'sse' ? 'sse' : 'http', url },
      manner === 'modern' ? 'modern' : 'legacy',
    )
    const abort = new AbortController()
    const running = callTool(connection, 'slow', {}, { signal: abort.signal }).catch(
      (error: unknown) => error,
    )
    await connection.request('tools/list', {}, exchange())
    expect(handles()).toBeGreaterThan(0)
    await connection.close()
    expect(await running).toMatchObject(manner === 'sse' ? {} : { name: 'ConnectionLost' })
    await until(() => handles() === 0)
  },
)
