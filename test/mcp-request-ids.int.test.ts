import { once } from 'node:events'

import { describe, expect, onTestFinished, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../src/core/result.ts'
import { aTool, doorTools } from './support/door-tools.ts'
import { doorRuntime } from './support/door-runtime.ts'
import { messageOf, modernCall, openSession, post, start, type Reply } from './support/http-door.ts'
import { asksData, modernMeta, opened, openStdioDoor, type StdioDoor } from './support/stdio-door.ts'
import { until } from '@contextd/shared/testing/until'

const inUse = { code: -32600, data: { code: 'REQUEST_ID_IN_USE' } }

function call(id: number | string, name: string, meta?: JsonObject): JsonObject {
  const params = { name, arguments: {}, _meta: { ...meta, ...asksData } }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

/** A tool that runs until it is released or cancelled, and signals when it starts. */
function holding() {
  let begin = (): void => {}
  let release = (): void => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const tool = aTool('hold', async (_, { call: { signal } }) => {
    begin()
    await Promise.race([released, once(signal, 'abort')])
    return answer('held')
  })
  return { tools: [...doorTools(), tool], begun, release }
}

const textIn = (message: JsonObject | undefined): string => JSON.stringify(message?.result)

describe.each<[string, JsonObject | undefined]>([
  ['2025-11-25', undefined],
  ['2026-07-28', modernMeta],
])('two requests with one id on stdio (%s)', (_, meta) => {
  async function open(): Promise<StdioDoor> {
    const door = openStdioDoor(doorRuntime({ tools: doorTools() }))
    onTestFinished(() => {
      door.hangUp()
      return door.ended
    })
    if (meta === undefined) await opened(door)
    // The first call settles the protocol era; later ones take the direct path.
    door.send(call('first', 'echo', meta))
    await door.answer('first')
    return door
  }
  const withId = ({ received }: StdioDoor, id: number | string): JsonObject[] =>
    received.filter((message) => message.id === id)

  test('the second is refused, the first is answered, and then the id is free', async () => {
    const door = await open()
    door.send(call(5, 'report', meta))
    door.send(call(5, 'echo', meta))
    door.send({ jsonrpc: '2.0', id: 5, method: 'tools/list', params: meta && { _meta: meta } })
    await until(() => withId(door, 5).length === 2)
    expect(withId(door, 5)).toMatchObject([{ error: inUse }, { error: inUse }])
    door.send(call('5', 'go_on', meta))
    await until(() => withId(door, 5).length === 3)
    expect(textIn(withId(door, '5')[0])).toContain('true')
    expect(textIn(withId(door, 5)[2])).toContain('reported')
    door.send(call(5, 'echo', meta))
    await until(() => withId(door, 5).length === 4)
    expect(withId(door, 5)[3]).toHaveProperty('result')
  })

  test('the id of a cancelled one is free once it has ended; an invalid cancellation frees nothing', async () => {
    const door = await open()
    const cancel = (reason: unknown): void =>
      door.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6, reason } })
    door.send(call(6, 'wait', meta))
    cancel({ not: 'a text' })
    door.send(call(6, 'echo', meta))
    expect(await door.answer(6)).toMatchObject({ error: inUse })
    cancel('enough')
    door.send(call('why', 'why_aborted', meta))
    expect(textIn(await door.answer('why'))).toContain('CANCELLED')
    door.send(call(6, 'echo', meta))
    await until(() => withId(door, 6).length === 2)
    expect(withId(door, 6)[1]).toHaveProperty('result')
  })
})

test('the id of a finished request to listen is free for a call, and its cancellation does not free it again', async () => {
  const door = openStdioDoor(doorRuntime({ tools: doorTools() }))
  onTestFinished(() => {
    door.hangUp()
    return door.ended
  })
  const listen = (notifications: unknown): void =>
    door.send({
      jsonrpc: '2.0',
      id: 5,
      method: 'subscriptions/listen',
      params: { notifications, _meta: modernMeta },
    })
  const cancel = (reason: unknown): void =>
    door.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5, reason } })
  const answers = (): JsonObject[] => door.received.filter(({ id }) => id === 5)
  door.send(call('first', 'echo', modernMeta))
  await door.answer('first')
  listen('nothing')
  await until(() => answers().length === 1)
  expect(answers()[0]).toMatchObject({ error: { code: -32602 } })
  door.send(call(5, 'report', modernMeta))
  cancel({ not: 'a text' })
  listen({ toolsListChanged: true })
  await until(() => answers().length === 2)
  expect(answers()[1]).toMatchObject({ error: inUse })
  door.send(call('go', 'go_on', modernMeta))
  await until(() => answers().length === 3)
  // Now as a request to listen, which is over when it is cancelled.
  listen({ toolsListChanged: true })
  await door.next(({ method }) => method === 'notifications/subscriptions/acknowledged')
  door.send(call(5, 'echo', modernMeta))
  await until(() => answers().length === 4)
  expect(answers()[3]).toMatchObject({ error: inUse })
  cancel('enough')
  door.send(call(5, 'echo', modernMeta))
  await until(() => answers().length === 5)
  expect(answers()[4]).toHaveProperty('result')
})

describe('two requests with one id in a session over HTTP (2025-11-25)', () => {
  async function open() {
    const { tools, begun, release } = holding()
    const door = await start({ tools })
    const { url } = door.http
    const token = door.token('main')
    const session = async (): Promise<(body: unknown) => Promise<Reply>> => {
      const headers = {
        'mcp-session-id': await openSession(url, token),
        'mcp-protocol-version': '2025-11-25',
      }
      return (body) => post(url, token, body, headers)
    }
    return { send: await session(), session, begun, release }
  }
  test('the second is refused, the first is answered, and then the id is free', async () => {
    const { send, session, begun, release } = await open()
    const first = send(call(5, 'hold'))
    await begun
    const second = await send(call(5, 'echo'))
    expect([second.status, messageOf(second)]).toMatchObject([409, { id: 5, error: inUse }])
    expect((await send(call('5', 'echo'))).status).toBe(200)
    const another = await session()
    expect((await another(call(5, 'echo'))).status).toBe(200)
    release()
    expect((await first).text).toContain('held')
    expect((await send(call(5, 'echo'))).status).toBe(200)
  })

  test('consecutive requests are accepted, however fast', async () => {
    const { send } = await open()
    for (let n = 0; n < 100; n++) {
      const { status, text } = await send(call(1, 'echo'))
      expect([n, status, text.includes('error')]).toEqual([n, 200, false])
    }
  })

  test('in one batch the first is answered, the second refused', async () => {
    const { send } = await open()
    const { status, text } = await send([call(1, 'echo'), call(1, 'log'), call(2, 'log')])
    const messages = Array.from(
      text.matchAll(/^data: (.+)$/gm),
      ([, data = '']) => JSON.parse(data) as JsonObject,
    )
    const answers = messages.filter(({ id }) => id !== undefined)
    expect(status).toBe(200)
    expect(answers).toHaveLength(3)
    expect(answers).toContainEqual(
      expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32600 }) }),
    )
    expect(answers).toContainEqual(expect.objectContaining({ id: 1, result: expect.anything() }))
    expect(textIn(answers.find(({ id }) => id === 2))).toContain('logged')
  })

  test('a batch in which no request may start: all are answered, and a cancellation in it takes effect', async () => {
    const { send, begun } = await open()
    const first = send(call(5, 'hold'))
    await begun
    const batch = [call(5, 'log'), call(5, 'echo')]
    const refused = await send(batch)
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      409,
      batch.map(() => ({ id: 5, error: inUse })),
    ])
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }
    const last = await send([call(5, 'log'), cancelled])
    expect([last.status, JSON.parse(last.text)]).toMatchObject([409, [{ id: 5, error: inUse }]])
    // It is never released.
    expect((await first).text).not.toContain('held')
  })

  test('a cancelled request ends its stream, and its id is free', async () => {
    const { send, begun } = await open()
    const first = send(call(5, 'hold'))
    await begun
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }
    expect((await send(cancelled)).status).toBe(202)
    expect((await first).text).not.toContain('"id":5')
    expect((await send(call(5, 'echo'))).status).toBe(200)
  })
})

test('two requests of 2026-07-28 over HTTP with one id are distinguished by the session they name', async () => {
  const { tools, begun, release } = holding()
  const { http, token } = await start({ tools })
  const main = token('main')
  const session = await openSession(http.url, main)
  const ask = (name: string, meta: JsonObject): Promise<Reply> => {
    const [body, headers] = modernCall(name, {}, meta)
    return post(http.url, main, body, headers)
  }
  const inSession = { 'dev.contextd/session': session }
  const first = ask('hold', inSession)
  await begun
  const second = await ask('log', inSession)
  expect([second.status, messageOf(second)]).toMatchObject([409, { id: 1, error: inUse }])
  // Clients that share a token and name no session are treated separately.
  expect((await ask('log', {})).status).toBe(200)
  const unnamed = ask('hold', {})
  expect((await ask('log', {})).status).toBe(200)
  release()
  for (const { text } of await Promise.all([first, unnamed])) expect(text).toContain('held')
  expect((await ask('log', inSession)).status).toBe(200)
})
