import { trace, type Span, type SpanContext, type Tracer } from '@opentelemetry/api'
import { afterEach, expect, test } from 'vitest'

import {
  fixture,
  gatewayRuntime,
  textOf,
  type GatewayRuntime,
} from '../../../test/support/gateway-runtime.ts'
import { until } from '@contextd/shared/testing/until'
import type { Json } from '@contextd/shared/json/value'
import type { Result } from '../../core/result.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const tracestate = 'rojo=1'

let gateway: GatewayRuntime
afterEach(async () => {
  trace.disable()
  await gateway.close()
})

async function start(transparent = false): Promise<GatewayRuntime> {
  gateway = await gatewayRuntime({ servers: { seen: fixture('keeps-meta') }, transparent })
  return gateway
}

const metaIn = (result: Result): Json => JSON.parse(textOf(result)) as Json

test('passes the trace context to the server, also without an SDK', async () => {
  const { execute } = await start()
  const carried = { traceparent, tracestate }
  expect(metaIn(await execute('seen', 'meta', {}, { trace: carried }))).toEqual(carried)
  expect(metaIn(await execute('seen', 'meta', {}, { trace: { traceparent } }))).toEqual({ traceparent })
  expect(metaIn(await execute('seen', 'meta'))).toBeNull()
})

test('preserves other request metadata', async () => {
  const { execute } = await start()
  const result = await execute('seen', 'meta', {}, { trace: { traceparent }, onProgress: () => {} })
  expect(metaIn(result)).toEqual({ traceparent, progressToken: expect.any(Number) })
})

test('also for prompts and resources', async () => {
  const { runtime, session } = await start(true)
  const client = { name: 'test', version: '1', door: 'stdio' } as const
  const ask = async (method: 'prompt' | 'resource', tool: string): Promise<string> => {
    const { signal } = new AbortController()
    const wanted = { method, tool, session, client, claims: {}, signal, trace: { traceparent } }
    return JSON.stringify(await runtime.handle(runtime.newCall(wanted)))
  }
  await until(async () => (await gateway.list('prompts')).length > 0)
  expect(await ask('prompt', 'seen__meta')).toContain(traceparent)
  expect(await ask('resource', 'meta://it')).toContain(traceparent)
})

test('with an SDK the server’s span is a child of ours, which is a child of the caller’s', async () => {
  const parents: (SpanContext | undefined)[] = []
  const own = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: 'b'.repeat(16), traceFlags: 1 }
  const tracer: Pick<Tracer, 'startSpan'> = {
    startSpan(_name, _options, within): Span {
      parents.push(within && trace.getSpanContext(within))
      return trace.wrapSpanContext(own)
    },
  }
  trace.setGlobalTracerProvider({ getTracer: () => tracer as Tracer })
  const { execute, runtime } = await start()
  expect(await runtime.startTracing()).toBe(true)
  expect(metaIn(await execute('seen', 'meta', {}, { trace: { traceparent } }))).toEqual({
    traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${'b'.repeat(16)}-01`,
  })
  expect(parents).toMatchObject([{ spanId: '00f067aa0ba902b7' }])
})
