import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  fixture,
  gatewayRuntime,
  textOf,
  type GatewayRuntime,
} from '../../../test/support/gateway-runtime.ts'
import { until } from '@contextd/shared/testing/until'
import type { Ask, AskKind, AskRequest, Call } from '../../core/call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { InputNeeded, type Result } from '../../core/result.ts'

let gateway: GatewayRuntime
beforeAll(async () => {
  gateway = await gatewayRuntime({
    servers: {
      legacy: fixture('well-behaved', [], { protocol: '2025-11-25' }),
      modern: fixture('well-behaved', ['modern'], { protocol: '2026-07-28' }),
      shared: fixture('well-behaved', [], { stateless: true, protocol: '2025-11-25' }),
    },
  })
})
afterAll(() => gateway.close())

const reply: JsonObject = { action: 'accept', content: { name: 'Ada' } }

/** A client up to 2025-11-25: it answers during the call. */
function waitingClient(kinds: readonly AskKind[] = ['elicitation']): Ask & { asked: AskRequest[] } {
  const asked: AskRequest[] = []
  const ask = async (request: AskRequest): Promise<JsonObject> => {
    asked.push(request)
    return reply
  }
  return Object.assign(ask, { kinds, waits: true, asked })
}

/** A client since 2026-07-28: the call ends with the question. */
const returningClient: Ask = Object.assign(
  ({ params }: AskRequest): Promise<JsonObject> => Promise.reject(new InputNeeded({ ours: params })),
  { kinds: ['elicitation'] as const, waits: false },
)

describe.each(['legacy', 'modern'])('a question of a %s server', (server) => {
  test('reaches a client that answers during the call', async () => {
    const ask = waitingClient()
    const answered = await gateway.execute(server, 'ask', {}, { ask })
    expect(textOf(answered)).toBe(JSON.stringify(reply))
    expect(ask.asked).toMatchObject([{ kind: 'elicitation', params: { message: `${server}: Which?` } }])
  })

  test('reaches a client that repeats its call', async () => {
    const asking = await gateway.execute(server, 'ask', {}, { ask: returningClient })
    if (asking.kind !== 'input_required') return expect.fail(JSON.stringify(asking))
    const [[key, question] = ['', {}]] = Object.entries(asking.requests)
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: `${server}: Which?` } })
    const input = { responses: { [key]: reply }, state: asking.state! }
    const again = await gateway.execute(server, 'ask', {}, { ask: returningClient, input })
    expect(textOf(again)).toBe(JSON.stringify(reply))
  })

  test('cannot be answered by another caller', async () => {
    const asking = await gateway.execute(server, 'ask', {}, { ask: returningClient })
    if (asking.kind !== 'input_required') return expect.fail(JSON.stringify(asking))
    const [key = ''] = Object.keys(asking.requests)
    const input = { responses: { [key]: reply }, state: asking.state! }
    const others: Partial<Call>[] = [{ session: 'another' }, { claims: { declared: 'other' } }]
    for (const parts of others) {
      const tried = await gateway.execute(server, 'ask', {}, { ask: returningClient, input, ...parts })
      expect(tried.kind).toBe('input_required')
    }
    const own = await gateway.execute(server, 'ask', {}, { ask: returningClient, input })
    expect(textOf(own)).toBe(JSON.stringify(reply))
  })

  test('is not asked if the client does not support it', async () => {
    const answered = await gateway.execute(server, 'ask')
    expect(textOf(answered)).not.toContain('Ada')
    expect(answered.kind).not.toBe('input_required')
  })
})

test('masks secrets in questions', async () => {
  const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
  const ask = waitingClient()
  await gateway.execute('legacy', 'echo', { text: secret })
  expect(textOf(await gateway.execute('legacy', 'echo', { text: 'plain' }, { ask }))).toBe('plain')
  expect(textOf(await gateway.execute('legacy', 'echo', { text: secret }))).toMatch(/\[SECRET_1\]/)
})

test('refuses questions on a shared connection, whose caller is unknown', async () => {
  const ask = waitingClient()
  expect(textOf(await gateway.execute('shared', 'ask', {}, { ask }))).not.toContain('Ada')
  expect(ask.asked).toEqual([])
})

describe.each(['legacy', 'modern'])('from a %s server', (server) => {
  test('progress is passed on', async () => {
    const heard: Json[] = []
    await gateway.execute(server, 'progress', {}, { onProgress: (progress) => heard.push({ ...progress }) })
    expect(heard).toMatchObject([
      { progress: 1, total: 2, message: 'step 1' },
      { progress: 2, total: 2, message: 'step 2' },
    ])
  })

  test("log messages are passed on from the client's level", async () => {
    const heard: Json[] = []
    const onLog: Call['onLog'] = (level, message, logger) => heard.push([level, message, logger ?? null])
    await gateway.execute(server, 'log', {}, { onLog, logLevel: 'info' })
    expect(heard).toEqual([
      ['info', 'a message of level info', 'fixture'],
      ['error', 'a message of level error', 'fixture'],
    ])
    heard.length = 0
    await gateway.execute(server, 'log', {}, { onLog })
    expect(heard).toEqual([])
  })

  test('cancellation is passed on', async () => {
    const client = new AbortController()
    const waiting: Promise<Result> = gateway.execute(server, 'wait', {}, { signal: client.signal })
    await until(async () => textOf(await gateway.execute(server, 'waiting')) === '1')
    client.abort()
    expect(JSON.stringify(await waiting)).toContain('CANCELLED')
    expect(textOf(await gateway.execute(server, 'cancelled'))).toBe('1')
  })
})
