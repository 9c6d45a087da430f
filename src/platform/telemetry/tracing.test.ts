import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
} from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import type { Call } from '../../core/call.ts'
import { answer, refusal, type Result } from '../../core/result.ts'
import { createTracing, type Tracing } from './tracing.ts'

interface Kept {
  readonly name: string
  readonly kind: SpanKind | undefined
  readonly attributes: Attributes
  readonly parent: SpanContext | undefined
  readonly own: SpanContext
  status?: SpanStatus
  ended: boolean
}

/** A minimal SDK. */
function memoryTracer(): { tracer: Tracer; spans: Kept[] } {
  const spans: Kept[] = []
  const startSpan = (name: string, options: SpanOptions = {}, within: Context = context.active()): Span => {
    const parent = trace.getSpanContext(within)
    const own: SpanContext = {
      traceId: parent?.traceId ?? 'a'.repeat(32),
      spanId: String(spans.length + 1).padStart(16, '0'),
      traceFlags: parent?.traceFlags ?? 1,
      ...(parent?.traceState && { traceState: parent.traceState }),
    }
    const kept: Kept = {
      name,
      kind: options.kind,
      attributes: { ...options.attributes },
      parent,
      own,
      ended: false,
    }
    spans.push(kept)
    const span = {
      spanContext: () => own,
      setAttributes: (more: Attributes) => (Object.assign(kept.attributes, more), span),
      setStatus: (status: SpanStatus) => ((kept.status = status), span),
      end: () => void (kept.ended = true),
      isRecording: () => true,
    } as unknown as Span
    return span
  }
  return { spans, tracer: { startSpan } as unknown as Tracer }
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const complaints: string[] = []
const newTracing = (more: Partial<Parameters<typeof createTracing>[0]> = {}): Tracing =>
  createTracing({
    scrub: (text) => text.replaceAll('hunter2', '[SECRET_1]'),
    log: (_, message) => complaints.push(message),
    ...more,
  })

let spans: Kept[]
beforeEach(() => {
  const memory = memoryTracer()
  spans = memory.spans
  complaints.length = 0
  trace.setGlobalTracerProvider({ getTracer: () => memory.tracer })
})
afterEach(() => trace.disable())

async function run(call: Call, result: Result | Error): Promise<Call> {
  const tracing = newTracing()
  expect(await tracing.start()).toBe(true)
  let passed = call
  await tracing.around(async (given) => {
    passed = given
    if (result instanceof Error) throw result
    return result
  })(call)
  return passed
}

test('a call is a child span of the incoming trace, and the parent of outgoing ones', async () => {
  const call = aCall({ trace: { traceparent, tracestate: 'rojo=1' } })
  call.trail.principal = { agent: 'main', level: 'token' }
  call.trail.decision = 'allow'
  call.trail.rule = 'agents.main.allow.servers[0]'
  call.trail.tokens = 12
  const passed = await run(call, answer('x'))
  expect(spans).toMatchObject([
    {
      name: 'tools/call probe',
      kind: SpanKind.SERVER,
      parent: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 1 },
      ended: true,
    },
  ])
  expect(spans[0]!.status).toBeUndefined()
  expect(spans[0]!.attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'contextd.call': 'call-1',
    'contextd.session': 'session-1',
    'contextd.door': 'stdio',
    'contextd.server': 'contextd',
    'contextd.tool': 'probe',
    'contextd.agent': 'main',
    'contextd.level': 'token',
    'contextd.decision': 'allow',
    'contextd.rule': 'agents.main.allow.servers[0]',
    'contextd.tokens': 12,
    'contextd.outcome': 'answer',
  })
  expect(passed.trace).toEqual({
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-01',
    tracestate: 'rojo=1',
  })
})

test('a call without a trace starts one', async () => {
  const passed = await run(aCall(), answer('x'))
  expect(spans[0]!.parent).toBeUndefined()
  expect(passed.trace).toEqual({ traceparent: `00-${'a'.repeat(32)}-0000000000000001-01` })
})

test('a refusal is an error with its code, and a crash ends its span too', async () => {
  await run(aCall(), refusal('DENIED_BY_POLICY', { agent: 'main', server: 'x', tool: 'y' }))
  expect(spans[0]).toMatchObject({
    status: { code: SpanStatusCode.ERROR, message: 'DENIED_BY_POLICY' },
    attributes: { 'contextd.outcome': 'refusal', 'error.type': 'DENIED_BY_POLICY' },
  })
  await expect(run(aCall(), new Error('crash'))).rejects.toThrow('crash')
  expect(spans[1]).toMatchObject({ status: { code: SpanStatusCode.ERROR }, ended: true })
})

test('arguments and secrets in names never get into a span', async () => {
  const call = aCall({ tool: 'show-hunter2', arguments: { password: 'hunter2' } })
  await run(call, answer('the password is hunter2'))
  expect(JSON.stringify(spans)).not.toContain('hunter2')
  expect(spans[0]!.name).toBe('tools/call show-[SECRET_1]')
})

test('a name that cannot be checked is withheld', async () => {
  const tracing = newTracing({
    scrub: () => {
      throw new Error('no')
    },
  })
  await tracing.start()
  await tracing.around(async () => answer('x'))(aCall())
  expect(spans[0]).toMatchObject({ name: 'tools/call (withheld)' })
})

test("an unsampled span keeps the caller's trace", async () => {
  trace.disable()
  trace.setGlobalTracerProvider({
    getTracer: () =>
      ({
        startSpan: () =>
          trace.wrapSpanContext({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }),
      }) as unknown as Tracer,
  })
  const passed = await run(aCall({ trace: { traceparent } }), answer('x'))
  expect(passed.trace).toEqual({ traceparent })
})

describe('before the process ends', () => {
  const withFlush = (forceFlush: () => Promise<void>): void => {
    trace.disable()
    const { tracer } = memoryTracer()
    trace.setGlobalTracerProvider(Object.assign({ getTracer: () => tracer }, { forceFlush }))
  }

  test('the SDK can send its pending data', async () => {
    let flushes = 0
    withFlush(async () => void (flushes += 1))
    const tracing = newTracing()
    await tracing.flush()
    expect(flushes).toBe(0)
    await tracing.start()
    await tracing.flush()
    expect(flushes).toBe(1)
  })

  test('an SDK that fails or hangs does not delay the exit', async () => {
    for (const forceFlush of [() => Promise.reject(new Error('no')), () => new Promise<void>(() => {})]) {
      withFlush(forceFlush)
      const tracing = newTracing()
      await tracing.start()
      await expect(tracing.flush()).resolves.toBeUndefined()
    }
  })
})

describe('without an SDK', () => {
  test('nothing is loaded, and calls pass unchanged', async () => {
    trace.disable()
    const registry = Symbol.for('opentelemetry.js.api.1')
    const kept = (globalThis as Record<symbol, unknown>)[registry]
    delete (globalThis as Record<symbol, unknown>)[registry]
    try {
      let loads = 0
      const load = async (): Promise<typeof import('@opentelemetry/api')> => {
        loads += 1
        return import('@opentelemetry/api')
      }
      const tracing = newTracing({ load })
      expect([await tracing.start(), loads]).toEqual([false, 0])
      const call = aCall({ trace: { traceparent } })
      let passed: Call | undefined
      await tracing.around(async (given) => ((passed = given), answer('x')))(call)
      expect(passed).toBe(call)
    } finally {
      ;(globalThis as Record<symbol, unknown>)[registry] = kept
    }
  })

  test('a missing API is logged once, and calls pass', async () => {
    const tracing = newTracing({ load: () => Promise.reject(new Error('not found')) })
    expect(await tracing.start()).toBe(false)
    expect(complaints).toEqual(['calls are not traced: the OpenTelemetry API is not installed'])
    expect(await tracing.around(async () => answer('x'))(aCall())).toMatchObject({ kind: 'answer' })
  })
})
