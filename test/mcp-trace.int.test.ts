import { expect, test } from 'vitest'

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { answer } from '../src/core/result.ts'
import { doorRuntime } from './support/door-runtime.ts'
import { aTool } from './support/door-tools.ts'
import { legacyCall, messageOf, modernCall, openSession, post, start } from './support/http-door.ts'
import { modernMeta, opened, openStdioDoor } from './support/stdio-door.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const other = '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01'
const where = aTool('where', async (_, { call }) => answer({ ...(call.trace ?? { none: true }) }))

const dataIn = (message: JsonObject): Json | undefined => {
  const { structuredContent } = message.result as { structuredContent: { data: Json } }
  return structuredContent.data
}

test.each([
  ['of an older revision', {}],
  ['of 2026-07-28', modernMeta],
])('a client on stdio %s passes the trace context in _meta', async (_, envelope) => {
  const runtime = doorRuntime({ tools: [where] })
  const isModern = Object.keys(envelope).length > 0
  const door = isModern ? openStdioDoor(runtime) : await opened(openStdioDoor(runtime))
  const metas = [
    { traceparent, tracestate: 'rojo=1', baggage: 'a=b' },
    { traceparent: 'free text' },
    {},
    { traceparent },
  ]
  for (const [id, meta] of metas.entries()) {
    const params = { name: 'where', arguments: {}, _meta: { ...envelope, ...meta } }
    door.send({ jsonrpc: '2.0', id, method: 'tools/call', params })
    await door.answer(id)
  }
  expect(runtime.seen.map(({ trace }) => trace)).toEqual([
    { traceparent, tracestate: 'rojo=1' },
    undefined,
    undefined,
    { traceparent },
  ])
  door.hangUp()
  await door.ended
})

test('over HTTP in _meta, or in the headers if _meta has none', async () => {
  const { http, token } = await start({ tools: [where] })
  const ask = async (meta: JsonObject, more: Record<string, string>): Promise<Json | undefined> => {
    const [body, headers] = modernCall('where', {}, meta)
    return dataIn(messageOf(await post(http.url, token('main'), body, { ...headers, ...more })))
  }
  expect(await ask({ traceparent }, {})).toEqual({ traceparent })
  expect(await ask({}, { traceparent: other, tracestate: 'rojo=1' })).toEqual({
    traceparent: other,
    tracestate: 'rojo=1',
  })
  expect(await ask({ traceparent }, { traceparent: other, tracestate: 'rojo=1' })).toEqual({ traceparent })
  expect(await ask({}, { traceparent: 'free text' })).toEqual({ none: true })

  const session = await openSession(http.url, token('main'))
  expect(dataIn(messageOf(await legacyCall(http.url, token('main'), session, 'where')))).toEqual({
    none: true,
  })
})
