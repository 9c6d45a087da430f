import { createServer } from 'node:http'
import { deflateSync, gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { callTool, httpConnector, until } from '../../../../test/support/http-connection.ts'
import {
  discovered,
  initialized,
  serveByHand,
  type Received,
} from '../../../../test/support/http-upstreams.ts'
import { webServers } from '../../../../test/support/web-servers.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../../core/ports.ts'
import { ServerError, type Connection } from '../connection.ts'

const web = webServers()
const { connect } = httpConnector()

const answer = { content: [{ type: 'text', text: 'fine' }] }

/** A server with a valid handshake that misbehaves on the first call and answers later ones. */
async function connectTo(
  protocol: 'modern' | 'legacy',
  misbehave: (received: Received) => unknown,
  clock?: Clock,
): Promise<Connection> {
  let calls = 0
  const url = await serveByHand(web, (received) => {
    const { message, response, reply } = received
    if (message.id === undefined) return response.writeHead(202).end()
    if (message.method === 'server/discover') return reply(discovered)
    if (message.method === 'initialize') return reply(initialized)
    calls += 1
    return calls === 1 ? misbehave(received) : reply(answer)
  })
  return connect(url, protocol, { maxMessageBytes: 100_000, ...(clock && { clock }) })
}

function deep(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

function respond(status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return ({ response }: Received) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
}

const json = 'application/json'
const events = 'text/event-stream'

describe.each(['modern', 'legacy'] as const)('a %s server', (protocol) => {
  test.each<[string, (received: Received) => unknown, string | RegExp]>([
    ['a page', respond(200, 'text/html', '<html>'), 'it answered with text/html instead of JSON'],
    [
      'no type',
      ({ response }) => response.writeHead(200).end('{}'),
      'it answered with an unknown content type instead of JSON',
    ],
    ['no JSON', respond(200, json, '{"jsonrpc":'), 'its answer violates the protocol'],
    ['no message', respond(200, json, '{"hello":"there"}'), 'its answer violates the protocol'],
    [
      'an answer to something else',
      respond(200, json, '{"jsonrpc":"2.0","id":77,"result":{}}'),
      'it sent no answer',
    ],
    ['an empty list', respond(200, json, '[]'), 'it sent no answer'],
    ['a nod', ({ response }) => response.writeHead(202).end(), 'it sent no answer'],
    ['an empty stream', respond(200, events, ''), 'its answer was cut off'],
    ['a stream of nonsense', respond(200, events, 'data: nonsense\n\n'), 'it sent an invalid message'],
    ['an error page', respond(502, 'text/html', '<html>'), 'it answered with HTTP 502'],
    ['a refusal', respond(403, 'text/plain', 'no'), 'it refused access (HTTP 403)'],
    ['a strange status', respond(999, json, '{}'), /status/],
  ])('that answers with %s fails one call', async (_, misbehave, why) => {
    const connection = await connectTo(protocol, misbehave)
    const call = callTool(connection, 'x')
    await expect(call).rejects.toMatchObject({ name: 'ConnectionLost', sent: true })
    await expect(call).rejects.toThrow(why)
    expect(await callTool(connection, 'x')).toEqual(answer)
  })

  test.each<[string, (received: Received) => unknown]>([
    ['hangs up at once', ({ response }) => response.destroy()],
    [
      'hangs up in the middle of its answer',
      ({ response }) => {
        response.writeHead(200, { 'content-type': json, 'content-length': '1000' })
        response.write('{"jsonrpc"', () => response.destroy())
      },
    ],
    [
      'hangs up in the middle of a stream',
      ({ response, stream }) => {
        stream()('data: {"json')
        setImmediate(() => response.destroy())
      },
    ],
  ])('that %s may have seen the call', async (_, misbehave) => {
    const connection = await connectTo(protocol, misbehave)
    await expect(callTool(connection, 'x')).rejects.toMatchObject({ name: 'ConnectionLost', sent: true })
    expect(await callTool(connection, 'x')).toEqual(answer)
  })

  test.each<[string, (received: Received) => unknown]>([
    ['an answer', ({ message, reply }) => reply({ id: message.id!, text: 'a'.repeat(200_000) })],
    [
      'an event',
      ({ message, stream }) =>
        stream()({ jsonrpc: '2.0', id: message.id!, result: { text: 'a'.repeat(200_000) } }),
    ],
    [
      'an event of many lines',
      ({ response, stream }) => {
        const send = stream()
        const more = (): void => {
          if (response.writable) setImmediate(more)
          send('data: a\r\n'.repeat(1000))
        }
        more()
      },
    ],
    ['an error page', respond(500, 'text/html', 'a'.repeat(200_000))],
  ])('that sends endless %s is disconnected', async (_, misbehave) => {
    const connection = await connectTo(protocol, misbehave)
    const why = 'it sent a message of more than 100000 bytes'
    await expect(callTool(connection, 'x')).rejects.toMatchObject({
      name: 'ConnectionLost',
      sent: true,
      message: why,
    })
    expect((await connection.ended).message).toBe(why)
    await expect(callTool(connection, 'x')).rejects.toMatchObject({ sent: false })
  })

  test('that sends endless events is disconnected', async () => {
    const notification = {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 1 },
    }
    const block = `data: ${JSON.stringify(notification)}\n\n`.repeat(1000)
    const endless = ({ response, stream }: Received): void => {
      const send = stream()
      const more = (): void => {
        if (!response.writable) return
        send(block)
        setImmediate(more)
      }
      more()
    }
    // Independent of how slowly this machine reads them.
    const connection = await connectTo(protocol, endless, () => 0)
    await expect(callTool(connection, 'x')).rejects.toThrow(/more than \d+ events per second/)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ] as const)('that compresses responses (%s) is disconnected', async (encoding, pack) => {
    const connection = await connectTo(protocol, (received) => {
      const { id = null } = received.message
      const body = JSON.stringify({ jsonrpc: '2.0', id, result: { text: 'a'.repeat(10_000_000) } })
      return respond(200, json, pack(body), { 'content-encoding': encoding })(received)
    })
    await expect(callTool(connection, 'x')).rejects.toThrow(
      'it compressed its response although `identity` was requested',
    )
  })

  test('that nests too deep is refused, unlike one that nests deep', async () => {
    const nested = (levels: number) =>
      connectTo(protocol, (received) => {
        const body = `{"jsonrpc":"2.0","id":${received.message.id as number},"result":{"x":${deep(levels)}}}`
        return respond(200, json, body)(received)
      })
    await expect(callTool(await nested(40_000), 'x')).rejects.toThrow(/deeper than 100 levels/)
    expect(await callTool(await nested(90), 'x')).toHaveProperty('x')
  })

  test('that answers twice or without a request is handled once', async () => {
    const connection = await connectTo(protocol, ({ message, response, stream }) => {
      const send = stream()
      send({ jsonrpc: '2.0', id: 4711, result: { wrong: true } })
      send({ jsonrpc: '2.0', id: message.id!, result: { first: true } })
      send({ jsonrpc: '2.0', id: message.id!, result: { second: true } })
      response.end()
    })
    expect(await callTool(connection, 'x')).toEqual({ first: true })
    expect(await callTool(connection, 'x')).toEqual(answer)
  })

  test('that leaves the stream open after its answer does not hold the socket', async () => {
    let isGone = false
    const connection = await connectTo(protocol, ({ message, response, stream }) => {
      response.once('close', () => (isGone = true))
      stream()({ jsonrpc: '2.0', id: message.id!, result: answer as JsonObject })
    })
    expect(await callTool(connection, 'x')).toEqual(answer)
    await until(() => isGone)
  })

  test('that sends keys such as __proto__ sends plain data', async () => {
    const connection = await connectTo(protocol, (received) => {
      const body = `{"jsonrpc":"2.0","id":${received.message.id as number},"result":{"__proto__":{"evil":1},"constructor":{"prototype":{"evil":1}}}}`
      return respond(200, json, body)(received)
    })
    const result = await callTool(connection, 'x')
    expect(({} as { evil?: number }).evil).toBeUndefined()
    expect(result).toHaveProperty('constructor')
  })
})

test('a server that asks endlessly gets few answers at a time', async () => {
  let most = 0
  let open = 0
  const url = await serveByHand(web, async ({ message, response, reply, stream }) => {
    if (message.method === 'initialize') return reply(initialized)
    if (message.method === 'notifications/initialized') return response.writeHead(202).end()
    if (message.method === undefined) {
      open += 1
      most = Math.max(most, open)
      return setTimeout(() => {
        open -= 1
        response.writeHead(202).end()
      }, 50)
    }
    const send = stream()
    for (let at = 0; at < 5000; at += 1) send({ jsonrpc: '2.0', id: `p${at}`, method: 'ping' })
    await until(() => most > 0)
    // Enough time for many more, if they were allowed.
    return setTimeout(() => send({ jsonrpc: '2.0', id: message.id!, result: answer as JsonObject }), 300)
  })
  const connection = await connect(url, 'legacy')
  expect(await callTool(connection, 'x')).toEqual(answer)
  expect(most).toBeLessThanOrEqual(64)
})

test('a call to an unreachable server is unsent', async () => {
  const port = await web.closedPort()
  await expect(connect(`http://127.0.0.1:${port}/mcp`)).rejects.toMatchObject({
    name: 'ConnectionLost',
    sent: false,
    message: 'the connection was refused',
  })
})

test('a call is unsent if the server is gone, otherwise sent', async () => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': json, connection: 'close' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: discovered }))
    })
  })
  const port = await web.listen(server)
  const connection = await connect(`http://127.0.0.1:${port}/mcp`, 'modern')
  await expect(callTool(connection, 'x')).rejects.toMatchObject({ sent: true })
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
  await expect(callTool(connection, 'x')).rejects.toMatchObject({ sent: false })
})

test.each([
  ['an answer of the wrong shape', { protocolVersion: 7 }],
  ['a version from elsewhere', { ...initialized, protocolVersion: '1999-01-01' }],
])('%s is not a valid handshake', async (_, result) => {
  const url = await serveByHand(web, ({ reply }) => reply(result))
  await expect(connect(url)).rejects.toThrow('it supports no protocol version that contextd supports')
})

test('a failing server is not mistaken for an older one', async () => {
  const methods: unknown[] = []
  const url = await serveByHand(web, ({ message, response }) => {
    methods.push(message.method)
    response.writeHead(503).end()
  })
  await expect(connect(url)).rejects.toThrow('it answered with HTTP 503')
  expect(methods).toEqual(['server/discover'])
})

test("an error in the handshake has the server's message", async () => {
  const url = await serveByHand(web, ({ refuse }) => refuse({ code: -32000, message: 'not today' }))
  await expect(connect(url)).rejects.toThrow('the server refused the handshake: not today')
  await expect(connect(url)).rejects.not.toBeInstanceOf(ServerError)
})

test('a server that exceeds a limit in the handshake is not tried with another protocol', async () => {
  const methods: unknown[] = []
  const url = await serveByHand(web, ({ message, reply }) => {
    methods.push(message.method)
    reply({ ...discovered, instructions: 'a'.repeat(200_000) })
  })
  await expect(connect(url, 'auto', { maxMessageBytes: 100_000 })).rejects.toThrow(
    'it sent a message of more than 100000 bytes',
  )
  expect(methods).toEqual(['server/discover'])
  expect((await connect(url)).era).toBe('modern')
})
