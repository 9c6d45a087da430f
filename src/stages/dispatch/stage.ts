import { exchangeOf, type Call } from '../../core/call.ts'
import {
  CodedError,
  ContextdError,
  describeError,
  missingThing,
  shortName,
} from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock, ToolHost } from '../../core/ports.ts'
import { failure, InputNeeded, invalidArguments, refusal, type Result } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import type { Catalogue, PayloadList } from '../../core/tool.ts'
import { createDeadlines, type Deadlines } from './deadlines.ts'

export interface DispatchOptions {
  readonly catalogue: Pick<Catalogue, 'list' | 'payloads'>
  readonly hostFor: (call: Call) => ToolHost
  readonly clock: Clock
  readonly onCrash: (call: Call, error: unknown) => void
}

/** The innermost stage: parses the arguments and runs the tool within its deadline. */
export function dispatchStage({ catalogue, hostFor, clock, onCrash }: DispatchOptions): Stage {
  const deadlines = createDeadlines()
  return async (call) => {
    const work = prepare(call, catalogue)
    if (typeof work !== 'function') return work
    try {
      return await withinDeadline(call, clock, deadlines, (bounded) => work(hostFor(bounded)))
    } catch (error) {
      if (error instanceof InputNeeded) return error.result
      if (error instanceof CodedError) return failure(error.toObject())
      onCrash(call, error)
      return failure(describeError('TOOL_FAILED'))
    }
  }
}

/** Returns what to run, or the reason not to. */
function prepare(
  call: Call,
  catalogue: DispatchOptions['catalogue'],
): Result | ((host: ToolHost) => Promise<Result>) {
  switch (call.method) {
    case 'tool':
      return prepareTool(call)
    case 'list':
      return async () => ({ kind: 'payload', value: { [call.tool]: await listOf(call, catalogue) } })
    case 'prompt': {
      const { payloads } = catalogue
      if (payloads === undefined) return refusal('NOT_FOUND', missingThing('prompt', call.tool))
      return (host) => payloads.prompt(call.tool, call.arguments, host)
    }
    case 'resource': {
      const { payloads } = catalogue
      if (payloads === undefined) return refusal('NOT_FOUND', missingThing('resource', call.tool))
      return (host) => payloads.resource(call.tool, host)
    }
    case 'subscribe':
    case 'unsubscribe': {
      const subscribe = catalogue.payloads?.[call.method]
      // A source without subscriptions notifies everyone of every change, so there is nothing to record.
      if (subscribe === undefined) return { kind: 'payload', value: {} }
      return (host) => subscribe(call.tool, host)
    }
    case 'model': {
      const exchange = exchangeOf(call)
      return async ({ call: { signal } }) => ({
        kind: 'payload',
        value: { ...(await exchange.send(exchange, signal)) },
      })
    }
  }
}

function prepareTool({
  tool: name,
  resolvedTool: tool,
  arguments: args,
}: Call): Result | ((host: ToolHost) => Promise<Result>) {
  if (tool === undefined) return refusal('TOOL_NOT_FOUND', { tool: shortName(name) })
  const parsed = tool.parse?.(args) ?? { ok: true, value: args }
  return parsed.ok ? (host) => tool.run(parsed.value, host) : invalidArguments(parsed.issues)
}

async function listOf(call: Call, catalogue: DispatchOptions['catalogue']): Promise<JsonObject[]> {
  const what = call.tool
  const items =
    what === 'tools' ? await catalogue.list(call) : await catalogue.payloads?.list(what as PayloadList, call)
  return [...(items ?? [])] as JsonObject[]
}

/** Stops waiting at the deadline or when the client cancels, whether or not the tool reacts to its signal. */
async function withinDeadline(
  call: Call,
  clock: Clock,
  deadlines: Deadlines,
  work: (bounded: Call) => Promise<Result>,
): Promise<Result> {
  if (call.signal.aborted) throw new ContextdError('CANCELLED')
  const limit = Math.max(0, call.deadline - clock())
  // The caller no longer waits for the answer, so nothing is started.
  if (limit === 0) throw new ContextdError('TIMEOUT', { limit_ms: 0 })
  const controller = new AbortController()
  let stop: (error: ContextdError) => void = () => {}
  const cancel = (): void => stop(new ContextdError('CANCELLED'))
  const cancelDeadline = deadlines.within(limit, () =>
    stop(new ContextdError('TIMEOUT', { limit_ms: limit })),
  )
  call.signal.addEventListener('abort', cancel, { once: true })
  try {
    return await new Promise<Result>((resolve, reject) => {
      stop = (error) => {
        controller.abort(error)
        reject(error)
      }
      work({ ...call, signal: controller.signal }).then(resolve, reject)
    })
  } finally {
    cancelDeadline()
    call.signal.removeEventListener('abort', cancel)
  }
}
