import { expect, test } from 'vitest'

import { doorRuntime, type DoorRuntime } from '../../../test/support/door-runtime.ts'
import { modernMeta } from '../../../test/support/stdio-door.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { refusal, type Result } from '../../core/result.ts'
import type { PayloadSource } from '../../core/tool.ts'
import { createClientSubscriptions, isListenRequest, type ListeningConnection } from './subscriptions.ts'

const payloads = { onChanged: () => () => {} } as unknown as PayloadSource
const connection: ListeningConnection = { door: 'http', session: () => 'one', claims: {} }
const never = new AbortController().signal

function listen(...uris: unknown[]): JsonObject {
  const notifications = { toolsListChanged: true, resourceSubscriptions: uris as string[] }
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications, _meta: modernMeta },
  }
}

function runtimeThat(handle: (uri: string) => Promise<Result>): DoorRuntime {
  return doorRuntime({ payloads, handle: ({ tool }) => handle(tool) })
}

const yes = async (): Promise<Result> => ({ kind: 'payload', value: {} })
const asked = ({ seen }: DoorRuntime): string[] => seen.map(({ method, tool }) => `${method} ${tool}`)
const urisOf = ({ params }: JsonObject): unknown =>
  ((params as JsonObject).notifications as JsonObject).resourceSubscriptions

test('removes resources that may not be read, for any reason', async () => {
  const results: Record<string, () => Promise<Result>> = {
    a: yes,
    denied: async () => refusal('DENIED_BY_POLICY'),
    fault: async () => ({ kind: 'fault', error: { code: -32002, message: 'no' } }),
    crash: () => Promise.reject(new Error('it broke')),
    b: yes,
  }
  const runtime = runtimeThat((uri) => results[uri]!())
  const { request } = await createClientSubscriptions(runtime).honour(
    listen(...Object.keys(results)),
    connection,
    never,
  )
  expect(urisOf(request)).toEqual(['a', 'b'])
  expect(request).toEqual(listen('a', 'b'))
  expect(runtime.seen).toHaveLength(5)
})

test('unsubscribes when the last stream of a session has ended', async () => {
  const runtime = runtimeThat(yes)
  const subscriptions = createClientSubscriptions(runtime)
  const first = await subscriptions.honour(listen('a'), connection, never)
  const second = await subscriptions.honour(listen('a', 'b'), connection, never)
  const other = await subscriptions.honour(listen('a'), { ...connection, session: () => 'two' }, never)
  first.release()
  first.release()
  expect(asked(runtime).slice(4)).toEqual([])
  second.release()
  expect(asked(runtime).slice(4)).toEqual(['unsubscribe a', 'unsubscribe b'])
  other.release()
  expect(runtime.seen.at(-1)).toMatchObject({ method: 'unsubscribe', tool: 'a', session: 'two' })
})

test('a stream that ends while another is subscribing leaves it subscribed', async () => {
  let reply: (result: Result) => void = () => {}
  let slow = false
  const runtime = runtimeThat(() => (slow ? new Promise((resolve) => (reply = resolve)) : yes()))
  const subscriptions = createClientSubscriptions(runtime)
  const first = await subscriptions.honour(listen('a'), connection, never)
  slow = true
  const asking = subscriptions.honour(listen('a'), connection, never)
  first.release()
  reply({ kind: 'payload', value: {} })
  const second = await asking
  expect(asked(runtime)).toEqual(['subscribe a', 'subscribe a'])
  second.release()
  expect(asked(runtime).at(-1)).toBe('unsubscribe a')
})

test('does nothing for a request that the SDK will refuse, or if nothing can change', async () => {
  const runtime = runtimeThat(yes)
  const subscriptions = createClientSubscriptions(runtime)
  for (const request of [listen('a', 5), { ...listen('a'), params: { _meta: modernMeta } }]) {
    expect((await subscriptions.honour(request, connection, never)).request).toBe(request)
  }
  const silent = doorRuntime({ payloads: {} as PayloadSource })
  const request = listen('a')
  expect((await createClientSubscriptions(silent).honour(request, connection, never)).request).toBe(request)
  expect([...runtime.seen, ...silent.seen]).toEqual([])
})

test('identifies the caller by the request, if possible', async () => {
  const runtime = runtimeThat(yes)
  const subscriptions = createClientSubscriptions(runtime)
  const request = listen('a')
  await subscriptions.honour(request, connection, never)
  const info = { name: 5, version: null }
  const _meta = {
    ...modernMeta,
    'io.modelcontextprotocol/clientInfo': info,
    'dev.contextd/agentId': 'scanner',
  }
  const odd = { ...request, params: { ...(request.params as JsonObject), _meta } }
  await subscriptions.honour(odd, connection, never)
  expect(runtime.seen).toMatchObject([
    { client: { name: 'tester', version: '1.2', door: 'http' }, claims: {}, session: 'one' },
    { client: { name: 'unknown', version: '' }, claims: { declared: 'scanner' } },
  ])
})

test.each<[unknown, boolean]>([
  [listen('a'), true],
  [{ ...listen('a'), params: {} }, false],
  [{ ...listen('a'), method: 'tools/list' }, false],
  [{ jsonrpc: '2.0', method: 'subscriptions/listen', params: { _meta: modernMeta } }, false],
  [[listen('a')], false],
  [undefined, false],
])('%j', (message, expected) => {
  expect(isListenRequest(message)).toBe(expected)
})
