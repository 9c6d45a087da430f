import type { CallRequest, Runtime } from '../../compose.ts'
import { logLevels, type Call } from '../../core/call.ts'
import {
  CodedError,
  ContextdError,
  describeError,
  type ErrorObject,
  missingThing,
} from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Mutable } from '../../core/mutable.ts'
import type { Answer, Payload, Result } from '../../core/result.ts'
import { abortWithin } from '../../platform/abort-within.ts'
import { readError } from '../local/hook-socket.ts'
import { ourErrorIn, scrubbed } from '../wire/wire-error.ts'
import { agentRpcs } from './agent-rpcs.ts'
import { operationRpcs } from './control-tools.ts'
import { callerSessionsOf } from '../sessions/caller-sessions.ts'
import type { ApiCaller } from '../sessions/callers.ts'
import type { Rpc } from './rpc.ts'

export interface PerformOptions {
  /** Aborted when the client cancels or disconnects. */
  readonly signal: AbortSignal
  /** Epoch milliseconds after which the client no longer waits. */
  readonly deadline?: number
  /** Receives events while the call runs, including the messages of a stream. May return a promise for backpressure. */
  readonly onEvent?: (event: JsonObject) => unknown
}

/** All RPCs: calls of agents' tools, and operations that control contextd. */
const rpcs: readonly Rpc[] = [...agentRpcs, ...operationRpcs]
const rpcByName: ReadonlyMap<string, Rpc> = new Map(rpcs.map((rpc) => [rpc.name, rpc]))
if (rpcByName.size < rpcs.length) throw new Error('two RPCs have the same name')

/** Undefined if no RPC has this name. */
export function findRpc(name: string): Rpc | undefined {
  return rpcByName.get(name)
}

export function allRpcs(): readonly Rpc[] {
  return rpcs
}

/** The limit for operations without a timeout. */
const maxMs = 24 * 3_600_000

/**
 * Runs one API call through the pipeline, for every door. Returns the response message as JSON (for a stream its
 * result, or `{}`). Throws `ContextdError` for everything else, with a message that may be sent to the client.
 */
export async function perform(
  runtime: Runtime,
  rpc: string,
  request: JsonObject,
  caller: ApiCaller,
  options: PerformOptions,
): Promise<JsonObject> {
  let session = 'door'
  try {
    const found = findRpc(rpc)
    if (found === undefined) throw new ContextdError('NOT_FOUND', missingThing('API call', rpc))
    const sessions = callerSessionsOf(runtime)
    session = sessions.of(caller)
    const release = sessions.hold(session)
    try {
      return await performIn(runtime, found, request, { ...caller, session }, options)
    } finally {
      release()
    }
  } catch (error) {
    if (!(error instanceof CodedError)) {
      runtime.log('error', 'a call of the API failed', { rpc, cause: String(error) })
    }
    const known = error instanceof CodedError ? error.toObject() : describeError('INTERNAL')
    throw errorFrom(scrubbed(known, (text) => runtime.scrub(text, session)))
  }
}

/** The same for doors whose streams consist of messages only: the result, if any, is the last of them. */
export async function performStream(
  runtime: Runtime,
  rpc: string,
  request: JsonObject,
  caller: ApiCaller,
  options: PerformOptions & Required<Pick<PerformOptions, 'onEvent'>>,
): Promise<void> {
  const result = await perform(runtime, rpc, request, caller, options)
  if (Object.keys(result).length > 0) await options.onEvent({ result })
}

async function performIn(
  runtime: Runtime,
  rpc: Rpc,
  request: JsonObject,
  { claims, client, session, trace }: ApiCaller & { readonly session: string },
  options: PerformOptions,
): Promise<JsonObject> {
  const { signal, deadline = Infinity, onEvent } = options
  const isLong = rpc.long === true || rpc.follow !== undefined
  const asked: Mutable<CallRequest> = {
    ...rpc.toCall(request),
    session,
    client,
    claims,
    signal,
    ...(isLong && { deadline: Date.now() + maxMs }),
    ...(trace !== undefined && { trace }),
  }
  if (onEvent !== undefined) addNotices(asked, rpc, onEvent)
  const own = runtime.newCall(asked)
  const call = { ...own, deadline: Math.min(deadline, own.deadline) }
  const response = rpc.respond(answerIn(await runtime.handle(call)), request)
  for (const event of rpc.lastEvents?.(response) ?? []) await onEvent?.(event)
  if (rpc.follow === undefined) return response
  await follow(rpc.follow, runtime, call, options)
  return response
}

/** Ends by itself, when the client disconnects, or when the time is up. */
async function follow(
  run: NonNullable<Rpc['follow']>,
  runtime: Runtime,
  call: Call,
  { signal, deadline, onEvent = () => {} }: PerformOptions,
): Promise<void> {
  const limitMs = Math.max(0, Math.min(maxMs, (deadline ?? Infinity) - Date.now()))
  const ended = abortWithin(limitMs, signal)
  const send = (event: JsonObject): unknown => (ended.aborted ? undefined : onEvent(event))
  try {
    await run(call, { runtime, signal: ended, send })
  } catch (error) {
    if (!ended.aborted) throw error
  }
  if (signal.aborted) throw new ContextdError('CANCELLED')
  if (ended.aborted) throw new ContextdError('TIMEOUT', { limit_ms: limitMs })
}

/** Notices for the client while the call runs. They have passed the scrub stage. */
function addNotices(
  request: Mutable<CallRequest>,
  { ownEvents }: Rpc,
  onEvent: NonNullable<PerformOptions['onEvent']>,
): void {
  if (ownEvents === true) {
    request.onLog = (_, message) => {
      if (isJsonObject(message)) onEvent(message)
    }
    return
  }
  request.onProgress = (progress) => void onEvent({ progress: { ...progress } })
  const { logLevel } = request
  if (logLevel === undefined) return
  request.onLog = (level, message: Json, logger) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return
    onEvent({ log: { level, message, ...(logger !== undefined && { logger }) } })
  }
}

/** Results that can be a response. A failure of one of our tools is an error here, like a call that did not run. */
function answerIn(result: Result): Answer | Payload {
  switch (result.kind) {
    case 'payload':
      return result
    case 'answer': {
      const error = ourErrorIn(result)
      if (error !== undefined) throw errorFrom(error)
      return result
    }
    case 'refusal':
      throw errorFrom(result.error)
    case 'fault': {
      const { code, message, data } = result.error
      throw new ContextdError('TOOL_FAILED', { said: { code, message, ...(data !== undefined && { data }) } })
    }
    case 'input_required':
      // This API cannot ask the user, so the answer is no.
      throw new ContextdError('APPROVAL_REQUIRED')
  }
}

function errorFrom(error: ErrorObject): ContextdError {
  return readError(error as JsonObject)
}
