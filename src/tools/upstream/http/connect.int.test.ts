import { describe, expect, test } from 'vitest'

import { callTool, exchange, httpConnector, until } from '../../../../test/support/http-connection.ts'
import { capabilities, newServer } from '../../../../test/support/http-fixture-server.ts'
import {
  discovered,
  initialized,
  serveByHand,
  serveModern,
  serveOldStyle,
  serveSessions,
  strange,
} from '../../../../test/support/http-upstreams.ts'
import { webServers } from '../../../../test/support/web-servers.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { ServerError } from '../connection.ts'

const web = webServers()
const { connect, notices } = httpConnector()

describe('a modern server', () => {
  test('completes the handshake and answers', async () => {
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

  test('is used with the newer protocol if it supports both', async () => {
    const connection = await connect(await serveModern(web, newServer, 'stateless'))
    expect(connection.era).toBe('modern')
    const older = await connect(await serveModern(web, newServer, 'stateless'), 'legacy')
    expect(older.era).toBe('legacy')
    expect(await callTool(older, 'echo', {})).toMatchObject({ content: [{ text: '{}' }] })
  })

  test('sends progress and log messages during a request', async () => {
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

  test('gets capabilities and log level with each request', async () => {
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

  test('gets declared headers, and tools with invalid declarations are dropped', async () => {
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

  test('ends a request with questions, which are returned unchanged', async () => {
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

  test('reports changes after a subscription', async () => {
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

  test('sees a cancelled request closed', async () => {
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

describe.each(['modern', 'legacy'] as const)('the response of a %s server', (protocol) => {
  const opening = protocol === 'modern' ? discovered : initialized
  const isOpening = ({ method, id }: JsonObject): boolean =>
    method === 'server/discover' || method === 'initialize' || id === undefined

  test('is returned unchanged', async () => {
    const url = await serveByHand(web, ({ message, reply }) => reply(isOpening(message) ? opening : strange))
    expect(await callTool(await connect(url, protocol), 'x')).toEqual(strange)
  })

  test.each([
    [200, { code: -32002, message: 'Resource not found', data: { uri: 'x', more: [1] } }],
    [200, { code: -32042, message: 'MCP error -32042: open this', data: { elicitations: [], also: 1 } }],
    [400, { code: -32602, message: 'bad', data: 'why' }],
    [404, { code: -32601, message: 'Method not found' }],
    [500, { code: 7, message: 'own code', data: null }],
  ])('is returned with its message if it is an error (HTTP %i)', async (status, error) => {
    const url = await serveByHand(web, ({ message, reply, refuse }) =>
      isOpening(message) ? reply(opening) : refuse(error, status),
    )
    const failure = await callTool(await connect(url, protocol), 'x').catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(ServerError)
    const { code, message, data } = failure as ServerError
    expect({ code, message, ...(data !== undefined && { data }) }).toEqual(error)
  })
})

test('a start that times out is cancelled on the server', async () => {
  let isGone = false
  const late = new AbortController()
  const url = await serveByHand(web, ({ response }) => {
    response.once('close', () => (isGone = true))
    late.abort(new Error('it takes too long'))
  })
  await expect(connect(url, 'auto', { signal: late.signal })).rejects.toThrow('it takes too long')
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
