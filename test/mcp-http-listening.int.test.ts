import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'

import { expect, onTestFinished, test } from 'vitest'

import type { Runtime } from '../src/compose.ts'
import type { Call } from '../src/core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { refusal, type Result } from '../src/core/result.ts'
import type { PayloadChange, PayloadSource } from '../src/core/tool.ts'
import { serveHttp } from '../src/servers/http/server.ts'
import { json, messageOf, post } from './support/http-door.ts'
import { realRuntime } from './support/real-runtime.ts'
import { modernMeta } from './support/stdio-door.ts'

const fault = { code: -32002, message: 'Resource not found', data: { uri: 'x://gone' } }

/** The real HTTP server with a pipeline that responds depending on the URI. */
async function start() {
  const real = await realRuntime()
  const listeners = new Set<(change: PayloadChange) => void>()
  const calls: Call[] = []
  const payloads = {
    onChanged(listener: (change: PayloadChange) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as PayloadSource
  const runtime: Runtime = {
    ...real,
    catalogue: { ...real.catalogue, payloads },
    async handle(call): Promise<Result> {
      calls.push(call)
      if (call.tool === 'x://denied') return refusal('DENIED_BY_POLICY')
      if (call.tool === 'x://missing') return { kind: 'fault', error: { ...fault, code: -32021 } }
      if (call.tool === 'x://gone') return { kind: 'fault', error: fault }
      return { kind: 'payload', value: {} }
    },
  }
  const http = await serveHttp(runtime, { graceMs: 50 })
  onTestFinished(async () => {
    await http.close()
    await real.close()
  })
  return {
    http,
    calls,
    listeners,
    token: real.tokenFor,
    asked: () => calls.map(({ method, tool }) => `${method} ${tool}`),
    changed(change: PayloadChange) {
      for (const listener of listeners) listener(change)
    },
  }
}

interface Stream {
  readonly heard: JsonObject[]
  next(method: string): Promise<JsonObject>
  hangUp(): Promise<void>
}

async function listen(url: string, token: string, notifications: JsonObject): Promise<Stream> {
  const headers = {
    ...json,
    authorization: `Bearer ${token}`,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  }
  const sent = request(url, { method: 'POST', headers })
  const params = { notifications, _meta: modernMeta }
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  const heard: JsonObject[] = []
  const waiting = new Set<() => void>()
  response.setEncoding('utf8')
  response.on('error', () => {})
  response.on('data', (chunk: string) => {
    for (const [, data] of chunk.matchAll(/^data: (.+)$/gm)) heard.push(JSON.parse(data!) as JsonObject)
    for (const look of waiting) look()
  })
  return {
    heard,
    next: (method) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = heard.find((message) => message.method === method)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    hangUp: () =>
      new Promise((resolve) => {
        response.once('close', () => resolve())
        sent.destroy()
      }),
  }
}

const acknowledged = 'notifications/subscriptions/acknowledged'
const updated = 'notifications/resources/updated'
const listChanged = 'notifications/resources/list_changed'
const methods = ({ heard }: Stream): unknown[] => heard.map(({ method }) => method)

test('each stream receives changes of its own session, and of resources that its agent may read', async () => {
  const { http, token, calls, changed, asked } = await start()
  const wanted = { resourcesListChanged: true, resourceSubscriptions: ['x://a', 'x://denied', 'x://gone'] }
  const mine = await listen(http.url, token('main'), wanted)
  const theirs = await listen(http.url, token('other'), wanted)
  const acknowledgement = await mine.next(acknowledged)
  expect(acknowledgement.params).toMatchObject({
    notifications: { resourcesListChanged: true, resourceSubscriptions: ['x://a'] },
  })
  expect(asked().slice(0, 3)).toEqual(['subscribe x://a', 'subscribe x://denied', 'subscribe x://gone'])
  const [first, other] = [calls[0]!, calls[3]!]
  expect([first.claims.token?.agent, other.claims.token?.agent]).toEqual(['main', 'other'])
  expect(first.session).not.toBe(other.session)

  changed({ session: other.session, uri: 'x://a' })
  changed({ session: first.session, uri: 'x://denied' })
  changed({ session: other.session })
  await theirs.next(listChanged)
  changed({ session: first.session, uri: 'x://a' })
  changed({})
  await mine.next(listChanged)
  expect(methods(mine)).toEqual([acknowledged, updated, listChanged])
  expect(methods(theirs).slice(0, 3)).toEqual([acknowledged, updated, listChanged])
})

test('when a stream ends, its subscriptions end', async () => {
  const { http, token, asked, listeners } = await start()
  const wanted = { resourceSubscriptions: ['x://a'] }
  const first = await listen(http.url, token('main'), wanted)
  const second = await listen(http.url, token('main'), wanted)
  await first.hangUp()
  const third = await listen(http.url, token('main'), wanted)
  await second.hangUp()
  await third.hangUp()
  await expect.poll(() => asked().at(-1)).toBe('unsubscribe x://a')
  expect(asked().filter((call) => call === 'unsubscribe x://a')).toHaveLength(1)
  await expect.poll(() => listeners.size).toBe(0)
})

test('a caller that may subscribe to nothing gets an acknowledgement, and the stream ends', async () => {
  const { http, token, listeners } = await start()
  const stream = await listen(http.url, token('main'), { resourceSubscriptions: ['x://denied'] })
  expect((await stream.next(acknowledged)).params).toMatchObject({ notifications: {} })
  await expect.poll(() => stream.heard.at(-1)).toMatchObject({ id: 'sub', result: {} })
  await expect.poll(() => listeners.size).toBe(0)
})

test('an invalid request to listen is rejected', async () => {
  const { http, token, asked } = await start()
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  const params = { notifications: { resourceSubscriptions: ['x://a'] }, _meta: modernMeta }
  const body = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }
  const reply = await post(http.url, token('main'), body, headers)
  expect(reply.status).toBe(400)
  expect(messageOf(reply)).toMatchObject({ id: 1, error: { code: -32020 } })
  await expect.poll(asked).toEqual(['subscribe x://a', 'unsubscribe x://a'])
})

test.each([
  ['x://gone', 200, fault],
  ['x://missing', 400, { ...fault, code: -32021 }],
])('the error of another server is forwarded unchanged: %s', async (uri, status, error) => {
  const { http, token } = await start()
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'resources/read',
    'mcp-name': uri,
  }
  const params = { uri, _meta: modernMeta }
  const body = { jsonrpc: '2.0', id: 1, method: 'resources/read', params }
  const reply = await post(http.url, token('main'), body, headers)
  expect(reply.status).toBe(status)
  expect(messageOf(reply).error).toEqual(error)
})
