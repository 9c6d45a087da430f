/**
 * A span for each call, for users with an OpenTelemetry SDK. They provide the SDK (`node --import ./otel.mjs`); we
 * only use its API, an optional package that is loaded if an SDK has registered itself, and never before we serve.
 */

import type { Call } from '../../core/call.ts'
import type { Result } from '../../core/result.ts'
import type { Next } from '../../core/stage.ts'
import type { Log } from '../log.ts'
import { settledWithin } from '../settled-within.ts'
import { VERSION } from '@contextd/shared/version'
import { idsOf, traceparentOf } from './trace-context.ts'

type Api = typeof import('@opentelemetry/api')
type Span = import('@opentelemetry/api').Span

export interface TracingOptions {
  /** Names come from callers, and spans are sent to another server. */
  readonly scrub: (text: string, session: string) => string
  readonly log: Log
  readonly load?: () => Promise<Api>
}

export interface Tracing {
  /** Wraps the function in a span per call once an SDK is found. */
  around(next: Next): Next
  /** Searches for an SDK; returns whether there is one. Never rejects. */
  start(): Promise<boolean>
  /** Gives the SDK a moment to send its data before the process ends. Never rejects. */
  flush(): Promise<void>
}

const flushMs = 1000

/** Where every copy of the API finds what an SDK registered. */
const registry = Symbol.for('opentelemetry.js.api.1')

export function createTracing({
  scrub,
  log,
  load = () => import('@opentelemetry/api'),
}: TracingOptions): Tracing {
  let api: Api | undefined
  return {
    around: (next) => (call) => (api === undefined ? next(call) : traced(api, call, next, scrub)),
    async start() {
      if (!(registry in globalThis)) return false
      try {
        api = await load()
      } catch (error) {
        const fix = 'install @opentelemetry/api next to contextd'
        log('warn', 'calls are not traced: the OpenTelemetry API is not installed', {
          fix,
          cause: String(error),
        })
      }
      return api !== undefined
    },
    async flush() {
      if (api !== undefined) await settledWithin(flushProvider(api), flushMs)
    },
  }
}

/** Not part of the API, but every SDK has it. */
async function flushProvider({ trace, ProxyTracerProvider }: Api): Promise<void> {
  const provider = trace.getTracerProvider()
  const delegate = provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider
  await (delegate as { forceFlush?: () => Promise<void> }).forceFlush?.()
}

/** MCP method names. */
const methods = {
  tool: 'tools/call',
  list: 'list',
  prompt: 'prompts/get',
  resource: 'resources/read',
  subscribe: 'resources/subscribe',
  unsubscribe: 'resources/unsubscribe',
  model: 'model',
} as const

const maxNameChars = 128

async function traced(
  { trace, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, createTraceState }: Api,
  call: Call,
  next: Next,
  scrub: TracingOptions['scrub'],
): Promise<Result> {
  const clean = (text: string): string => {
    try {
      return scrub(text, call.session).slice(0, maxNameChars)
    } catch {
      return '(withheld)'
    }
  }
  const parent = parentOf()
  const method = methods[call.method]
  // Resource names are URIs, which differ with every resource.
  const targetName = call.method === 'tool' || call.method === 'prompt' ? ` ${clean(call.tool)}` : ''
  const span = trace.getTracer('contextd', VERSION).startSpan(
    `${method}${targetName}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'mcp.method.name': method,
        'contextd.call': call.id,
        'contextd.session': call.session,
        'contextd.door': call.client.door,
        'contextd.server': clean(call.server),
        'contextd.tool': clean(call.tool),
      },
    },
    parent,
  )
  const spanContext = trace.setSpan(parent, span)
  try {
    const result = await context.with(spanContext, () => next(underSpan(call, span)))
    describe(span, call, result, clean)
    const errorCode = errorOf(result)
    if (errorCode !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: errorCode })
    return result
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }

  function parentOf() {
    if (call.trace === undefined) return context.active() ?? ROOT_CONTEXT
    const { traceId, spanId, flags } = idsOf(call.trace)
    const { tracestate } = call.trace
    return trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId,
      traceFlags: flags & TraceFlags.SAMPLED,
      isRemote: true,
      ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
    })
  }
}

/** Calls made on behalf of this one get the span as parent. An invalid span leaves the caller's trace unchanged. */
function underSpan(call: Call, span: Span): Call {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return call
  const tracestate = traceState?.serialize() ?? ''
  const traceparent = traceparentOf({ traceId, spanId, flags: traceFlags })
  return { ...call, trace: { traceparent, ...(tracestate !== '' && { tracestate }) } }
}

function describe(span: Span, { trail }: Call, result: Result, clean: (text: string) => string): void {
  const { principal, decision, rule, target, tokens } = trail
  const foundCount = trail.findings.reduce((sum, { count }) => sum + count, 0)
  const error = errorOf(result)
  span.setAttributes({
    'contextd.outcome': result.kind,
    ...(principal !== undefined && { 'contextd.agent': principal.agent, 'contextd.level': principal.level }),
    ...(decision !== undefined && { 'contextd.decision': decision }),
    ...(rule !== undefined && { 'contextd.rule': rule }),
    ...(target !== undefined && {
      'contextd.target.server': clean(target.server),
      'contextd.target.tool': clean(target.tool),
    }),
    ...(tokens !== undefined && { 'contextd.tokens': tokens }),
    ...(foundCount > 0 && { 'contextd.secrets_held_back': foundCount }),
    ...(error !== undefined && { 'error.type': error }),
  })
}

/** The code of a refusal, or that a tool failed; never its message. */
function errorOf(result: Result): string | undefined {
  if (result.kind === 'refusal') return result.error.code
  if (result.kind === 'fault') return 'TOOL_FAILED'
  return result.kind === 'answer' && result.isError === true ? 'TOOL_FAILED' : undefined
}
