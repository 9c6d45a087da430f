/** Network servers that fail, behind the real contextd. */

import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../src/core/result.ts'
import { secret } from '../support/door-tools.ts'
import {
  fixture,
  gatewayRuntime,
  textOf,
  type GatewayRuntime,
  type GatewayRuntimeOptions,
} from '../support/gateway-runtime.ts'
import { initialized, serveByHand, type Received } from '../support/http-upstreams.ts'
import { ownPort } from '../support/own-port.ts'
import { until } from '@contextd/shared/testing/until'
import { webServers } from '../support/web-servers.ts'

const web = webServers()
let gateway: GatewayRuntime
afterEach(() => gateway.close())

async function start(url: string, rest: Partial<GatewayRuntimeOptions> = {}): Promise<GatewayRuntime> {
  const servers = { there: { url, ...entry }, good: fixture('notebook') }
  gateway = await gatewayRuntime({ servers, ...rest })
  return gateway
}
const entry: JsonObject = { protocol: '2025-11-25' }

const call = (args: JsonObject = {}, timeout?: number): Promise<Result> =>
  gateway.call('execute_tool', {
    server: 'there',
    tool: 'any',
    args,
    ...(timeout !== undefined && { timeout_ms: timeout }),
  })

async function expectOthersWork(): Promise<void> {
  expect(textOf(await gateway.execute('good', 'write', { text: 'still here' }))).toMatch(/^kept/)
}

/** With a short startup timeout, a busy machine may need another attempt. */
async function waitUntilOthersWork(): Promise<void> {
  await until(async () =>
    textOf(await gateway.execute('good', 'write', { text: 'still here' })).startsWith('kept'),
  )
}

const unavailable = (why: string): object => ({
  kind: 'refusal',
  error: { code: 'SERVER_UNAVAILABLE', server: 'there', message: expect.stringContaining(why) as string },
})

interface ByHand {
  readonly url: string
  /** The arguments of each received call. */
  readonly calls: unknown[]
  sessions: number
  /** Forgets the session, as after a restart. */
  forget(): void
}

/** A server with sessions that handles calls with this function. */
async function serve(take: (received: Received, args: JsonObject) => unknown): Promise<ByHand> {
  let current = ''
  const there: ByHand = { url: '', calls: [], sessions: 0, forget: () => (current = '') }
  const url = await serveByHand(web, (received) => {
    const { message, request, response, reply, refuse } = received
    if (message.method === 'initialize') {
      there.sessions += 1
      current = `session ${there.sessions}`
      response.setHeader('mcp-session-id', current)
      return reply(initialized)
    }
    if (request.headers['mcp-session-id'] !== current) {
      return refuse({ code: -32001, message: 'Session not found' }, 404)
    }
    if (message.id === undefined) return response.writeHead(202).end()
    if (message.method === 'tools/list') {
      return reply({ tools: [{ name: 'any', inputSchema: { type: 'object' } }] })
    }
    if (message.method !== 'tools/call') return refuse({ code: -32601, message: 'no such method' })
    const { arguments: args = {} } = message.params as { arguments?: JsonObject }
    there.calls.push(args)
    return take(received, args)
  })
  return Object.assign(there, { url })
}

const ok = { content: [{ type: 'text', text: 'ok' }] }

describe('a session that expired', () => {
  test('is renewed, and the call arrives once', async () => {
    const there = await serve(({ reply }) => reply(ok))
    await start(there.url)
    expect(textOf(await call({ number: 1 }))).toBe('ok')
    there.forget()
    expect(textOf(await call({ number: 2 }))).toBe('ok')
    expect(there.calls).toEqual([{ number: 1 }, { number: 2 }])
    expect(there.sessions).toBe(2)
  })

  test('during many concurrent calls is renewed once, and each call arrives once', async () => {
    const there = await serve(({ reply }) => reply(ok))
    await start(there.url)
    await call()
    there.forget()
    const numbers = Array.from({ length: 10 }, (_, number) => number)
    const answers = await Promise.all(numbers.map((number) => call({ number })))
    expect(answers.map(textOf)).toEqual(numbers.map(() => 'ok'))
    const numberOf = (seen: unknown): number => Number((seen as JsonObject).number)
    expect(there.calls.slice(1).toSorted((a, b) => numberOf(a) - numberOf(b))).toEqual(
      numbers.map((number) => ({ number })),
    )
    expect(there.sessions).toBe(2)
  })

  test('repeatedly: the call fails, and is not retried forever', async () => {
    let asked = 0
    const url = await serveByHand(web, ({ message, response, reply, refuse }) => {
      asked += 1
      if (message.method !== 'initialize') return refuse({ code: -32001, message: 'Session not found' }, 404)
      response.setHeader('mcp-session-id', 'any')
      return reply(initialized)
    })
    await start(url)
    expect(await call()).toMatchObject(unavailable('its session has expired'))
    expect(asked).toBeLessThan(10)
    await expectOthersWork()
  })
})

describe('a server that is not running', () => {
  test('is reported, and used once it runs', async () => {
    const port = await web.closedPort()
    await start(`http://127.0.0.1:${port}/mcp`)
    expect(await call()).toMatchObject({ kind: 'refusal', error: { code: 'SERVER_UNAVAILABLE' } })
    await expectOthersWork()
    const there = await serve(({ reply }) => reply(ok))
    gateway.writeServers({ there: { url: there.url, ...entry }, good: fixture('notebook') })
    await until(async () => textOf(await call()) === 'ok')
  })

  test('between two calls only: the second is answered by its replacement', async () => {
    let server: Server
    const listen = async (port: number): Promise<number> => {
      let session = ''
      server = createServer((request, response) => {
        void (async () => {
          let text = ''
          for await (const chunk of request) text += String(chunk)
          if (request.method !== 'POST') return response.writeHead(405).end()
          const { id, method } = JSON.parse(text) as JsonObject
          if (method === 'initialize') response.setHeader('mcp-session-id', (session = String(Math.random())))
          else if (request.headers['mcp-session-id'] !== session) return response.writeHead(404).end()
          if (id === undefined) return response.writeHead(202).end()
          const tools = [{ name: 'any', inputSchema: { type: 'object' } }]
          const result = method === 'initialize' ? initialized : method === 'tools/list' ? { tools } : ok
          response.setHeader('content-type', 'application/json')
          return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
        })()
      })
      return web.listen(server, '127.0.0.1', port)
    }
    const port = await listen(await ownPort())
    await start(`http://127.0.0.1:${port}/mcp`)
    expect(textOf(await call())).toBe('ok')
    server!.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await listen(port)
    await until(async () => textOf(await call()) === 'ok')
  })

  test('for us: reports that a sign-in is missing, without secrets from its response', async () => {
    const url = await serveByHand(web, ({ response }) =>
      response
        .writeHead(401, { 'www-authenticate': `Bearer error="invalid_token", error_description="${secret}"` })
        .end(`{"error":"${secret}"}`),
    )
    await start(url)
    const refused = await call()
    expect(refused).toMatchObject({ kind: 'refusal', error: { code: 'SERVER_UNAVAILABLE' } })
    expect(JSON.stringify(refused)).toContain('sign-in')
    expect(JSON.stringify(refused)).not.toContain(secret)
    await expectOthersWork()
  })
})

describe('a response that', () => {
  test('breaks off: the call is not repeated, because it may have completed', async () => {
    const there = await serve(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"jsonrpc"')
      response.destroy()
    })
    await start(there.url)
    expect(await call()).toMatchObject({ kind: 'refusal', error: { code: 'SERVER_UNAVAILABLE' } })
    expect(there.calls).toHaveLength(1)
    await expectOthersWork()
  })

  test('breaks off does not affect others', async () => {
    let finish: () => void = () => {}
    const there = await serve(({ response, reply }, { kind }) => {
      if (kind === 'slow') return void (finish = () => reply(ok))
      return response.destroy()
    })
    await start(there.url)
    const slow = call({ kind: 'slow' })
    await until(() => there.calls.length === 1)
    await call({ kind: 'broken' })
    await sleep(50)
    finish()
    expect(textOf(await slow)).toBe('ok')
  })

  test('breaks off does not end the session', async () => {
    const there = await serve(({ response, reply }, { kind }) =>
      kind === 'broken' ? response.destroy() : reply(ok),
    )
    await start(there.url)
    expect(await call({ kind: 'broken' })).toMatchObject(unavailable(''))
    expect(textOf(await call())).toBe('ok')
    expect(there.sessions).toBe(1)
    expect(gateway.runtime.upstream.health()).toMatchObject([
      { server: 'good' },
      { server: 'there', state: 'connected' },
    ])
  })

  test('does not end is dropped at the size limit', async () => {
    let sent = 0
    const there = await serve(({ response, stream }) => {
      stream()
      const more = (): void => {
        while (!response.destroyed && response.write(`data: ${'x'.repeat(1 << 16)}\n`)) sent += 1 << 16
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    await start(there.url, { config: '[upstream]\nmessage_kb = 256\n' })
    expect(await call()).toMatchObject(unavailable('more than 262144 bytes'))
    expect(sent).toBeLessThan(64 << 20)
    await expectOthersWork()
  })

  test('arrives byte by byte has only the time of the call', async () => {
    let isClosed = false
    const there = await serve(({ response, stream }) => {
      stream()
      const drip = setInterval(() => response.write(':'), 20)
      response.once('close', () => {
        isClosed = true
        clearInterval(drip)
      })
    })
    await start(there.url)
    await gateway.call('get_server_tools', { server: 'there' })
    // A call that times out before it arrives gets more time.
    for (let ms = 500; there.calls.length === 0; ms *= 2) {
      const slow = call({}, ms)
      await expectOthersWork()
      expect(await slow).toMatchObject({ structured: { error: { code: 'TIMEOUT' } } })
    }
    await until(() => isClosed)
  })

  test('never starts uses up the time of the call', async () => {
    const there = await serve(() => {})
    await start(there.url)
    await gateway.call('get_server_tools', { server: 'there' })
    expect(await call({}, 300)).toMatchObject({ structured: { error: { code: 'TIMEOUT' } } })
    await expectOthersWork()
  })
})

test('a startup that arrives byte by byte is abandoned in time, and others start meanwhile', async () => {
  const port = await web.serveRaw((socket) => {
    const drip = setInterval(() => socket.write('H'), 20)
    socket.once('close', () => clearInterval(drip))
  })
  await start(`http://127.0.0.1:${port}/mcp`, { config: '[upstream]\nstart_ms = 4000\n' })
  const waiting = call()
  await waitUntilOthersWork()
  expect(await waiting).toMatchObject({ kind: 'refusal', error: { code: 'SERVER_UNAVAILABLE' } })
})

test('the error message of a server is passed on without the secret in it', async () => {
  for (const text of [secret, 'nothing of interest']) {
    const there = await serve(({ refuse }) => refuse({ code: -32050, message: `no ${text}`, data: { text } }))
    await start(there.url)
    const fault = await call()
    expect(fault).toMatchObject({ kind: 'fault', error: { code: -32050 } })
    expect(JSON.stringify(fault).includes(text)).toBe(text !== secret)
    if (text === secret) await gateway.close()
  }
})
