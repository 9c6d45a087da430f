import { once } from 'node:events'
import type { Socket } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import { modernCall, openSession, post, send, start, type Fixture } from './support/http-door.ts'
import { answerOn, rawConnection, statusOf } from './support/raw-http.ts'
import { until } from '@contextd/shared/testing/until'

async function metricsOf({ http, token }: Fixture): Promise<string> {
  const headers = { authorization: `Bearer ${token('watcher')}` }
  return (await send(http.url.replace('/mcp', '/metrics'), { method: 'GET', headers })).text
}

const dropped = (limit: string): string => `contextd_connections_dropped_total{door="http",limit="${limit}"}`

/** A connection that ends with the test. */
function connection({ http }: Fixture): Socket {
  const socket = rawConnection(http.url)
  onTestFinished(() => void socket.destroy())
  return socket
}

function headOf(door: Fixture, line: string, more: readonly string[] = []): string {
  const headers = ['Host: localhost', `Authorization: Bearer ${door.token('main')}`, ...more]
  return [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n')
}

const json = 'Content-Type: application/json'
const accept = 'Accept: application/json, text/event-stream'

describe('an incomplete body', () => {
  const [message, headers] = modernCall('echo')
  const body = JSON.stringify(message)
  const mcp = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

  test.each([
    ['POST /mcp', body, mcp],
    ['POST /api/v1/tools/echo', '{"a":1}', []],
  ])('is dropped, on %s', async (line, whole, more) => {
    const door = await start({ limits: { bodyIdleMs: 200 } })
    const post = (sent: string): Promise<string> => {
      const socket = connection(door)
      const length = `Content-Length: ${whole.length}`
      socket.write(headOf(door, line, [json, accept, length, 'Connection: close', ...more]) + sent)
      return answerOn(socket)
    }
    const half = await post(whole.slice(0, 3))
    expect([statusOf(half), half]).toEqual([408, expect.stringContaining('REQUEST_INCOMPLETE')])
    expect(statusOf(await post(whole))).toBe(200)
    await until(async () => (await metricsOf(door)).includes(`${dropped('body')} 1`))
  })

  test('is dropped after a time limit, even if bytes keep arriving', async () => {
    const door = await start({ limits: { bodyMs: 200 } })
    const socket = connection(door)
    socket.write(headOf(door, 'POST /mcp', [json, accept, 'Transfer-Encoding: chunked', ...mcp]))
    const trickle = setInterval(() => socket.writable && socket.write('1\r\n \r\n'), 5)
    expect(statusOf(await answerOn(socket))).toBe(408)
    clearInterval(trickle)
  })
})

test('incomplete bodies of one token are buffered up to a limit', async () => {
  const door = await start({ messageBytes: 2000 })
  const begin = (agent: string): Promise<string> => {
    const socket = connection(door)
    const head = ['POST /api/v1/tools/echo HTTP/1.1', 'Host: localhost', json, 'Content-Length: 2000']
    const token = `Authorization: Bearer ${door.token(agent)}`
    socket.write([...head, token, '', 'x'.repeat(1900)].join('\r\n'))
    return once(socket, 'data').then(String)
  }
  // Sixteen messages are allowed, and these are seventeen.
  const refused = await Promise.race(Array.from({ length: 17 }, () => begin('main')))
  expect([statusOf(refused), refused]).toEqual([429, expect.stringContaining('32000 bytes')])
  const whole = await send(door.http.url.replace('/mcp', '/api/v1/tools/echo'), {
    headers: { authorization: `Bearer ${door.token('default')}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(whole.status).toBe(200)
})

test('an incomplete head is dropped', async () => {
  const door = await start({ limits: { headersMs: 1000 } })
  const socket = connection(door)
  socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-')
  const answer = await answerOn(socket)
  expect([statusOf(answer), answer]).toEqual([408, expect.stringContaining('REQUEST_INCOMPLETE')])
  expect(await metricsOf(door)).toContain(`${dropped('headers')} 1`)
})

test('input that is not HTTP and headers that are too long get an error response', async () => {
  const door = await start()
  const ask = (text: string): Promise<string> => {
    const socket = connection(door)
    socket.write(text)
    return answerOn(socket)
  }
  const garbage = await ask('garbage\r\n\r\n')
  expect([statusOf(garbage), garbage]).toEqual([400, expect.stringContaining('INVALID_REQUEST')])
  expect(statusOf(await ask(headOf(door, 'GET /healthz', [`X-Long: ${'x'.repeat(70_000)}`])))).toBe(431)
  expect(statusOf(await ask(headOf(door, 'GET /healthz', ['Connection: close'])))).toBe(200)
})

describe('connections of one token', () => {
  /** An open event stream. Connections of earlier requests may take a moment to close. */
  async function stream(door: Fixture, session: string): Promise<Socket> {
    for (;;) {
      const socket = connection(door)
      socket.write(headOf(door, 'GET /mcp', [accept, `Mcp-Session-Id: ${session}`]))
      const [head] = (await once(socket, 'data')) as [Buffer]
      if (statusOf(head.toString()) === 200) return socket
      socket.destroy()
    }
  }
  async function sessions(door: Fixture, count: number): Promise<string[]> {
    const opened: string[] = []
    for (let n = 0; n < count; n++) opened.push(await openSession(door.http.url, door.token('main')))
    return opened
  }
  const [body, headers] = modernCall('echo')
  const call = (door: Fixture, agent: string) =>
    post(door.http.url, door.token(agent), body, { ...headers, connection: 'close' })

  test('are counted with their event streams, and one too many is refused', async () => {
    const door = await start({ limits: { maxPerCaller: 3 } })
    const ids = await sessions(door, 3)
    const streams: Socket[] = []
    for (const id of ids) streams.push(await stream(door, id))
    const refused = await call(door, 'main')
    expect([refused.status, refused.headers.connection]).toEqual([429, 'close'])
    expect(refused.text).toContain('its limit of 3 connections')
    expect((await call(door, 'other')).status).toBe(200)
    expect(await metricsOf(door)).toMatch(/limit="caller"} [1-9]/)
    // Open ones are not affected.
    const heard = once(streams[0]!, 'data')
    door.announce()
    expect(String(await heard)).toContain('list_changed')
    streams[0]!.destroy()
    await until(async () => (await call(door, 'main')).status === 200)
  })

  test('share a limit with those of other tokens', async () => {
    const door = await start({ limits: { maxConnections: 2 } })
    const ids = await sessions(door, 2)
    const streams: Socket[] = []
    for (const id of ids) streams.push(await stream(door, id))
    const refused = await call(door, 'other')
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('shared by all callers')])
    streams[0]!.destroy()
    await until(async () => (await call(door, 'other')).status === 200)
  })

  test('survive any number of unauthenticated connections, which replace each other', async () => {
    const door = await start({ limits: { maxStrangers: 4 } })
    const [id = ''] = await sessions(door, 1)
    const open = await stream(door, id)
    let gone = 0
    const strangers = Array.from({ length: 20 }, () => connection(door).on('close', () => gone++))
    await until(() => gone >= 16)
    expect((await call(door, 'main')).status).toBe(200)
    expect(await metricsOf(door)).toMatch(/limit="strangers"} [1-9]\d/)
    // The others may stay, and this one is authenticated.
    expect(strangers.some(({ destroyed }) => !destroyed)).toBe(true)
    expect(open.destroyed).toBe(false)
    const heard = once(open, 'data')
    door.announce()
    expect(String(await heard)).toContain('list_changed')
  })
})

test('unread answers are dropped after a time limit', async () => {
  const door = await start({ limits: { unreadMs: 1000 } })
  const idle = connection(door)
  const id = await openSession(door.http.url, door.token('main'))
  idle.write(headOf(door, 'GET /mcp', [accept, `Mcp-Session-Id: ${id}`]))
  await once(idle, 'data')
  const lazy = connection(door).pause()
  const ask = headOf(door, 'GET /api/v1/openapi.json')
  // As many as needed until nothing more is sent.
  const asking = setInterval(() => lazy.writableLength < 100_000 && lazy.write(ask.repeat(20)), 5)
  onTestFinished(() => clearInterval(asking))
  await until(async () => (await metricsOf(door)).includes(`${dropped('unread')} 1`))
  // An idle stream is just as quiet, and stays open.
  const heard = once(idle, 'data')
  door.announce()
  expect(String(await heard)).toContain('list_changed')
})
