/**
 * One request to an upstream server on behalf of a caller. Before it answers, the server may ask the user or the client's
 * model: up to 2025-11-25 during the request, since 2026-07-28 by ending it with its questions. Client and server may
 * differ in this, so there are four combinations.
 */

import { setTimeout as delay } from 'node:timers/promises'

import { askKindOf, askMethods, type Ask, type AskRequest, type Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Mutable } from '../../core/mutable.ts'
import type { Clock } from '../../core/ports.ts'
import type { InputRequired } from '../../core/result.ts'
import { createAllowance } from './allowance.ts'
import { ServerError, type Exchange } from './connection.ts'
import type { PooledConnection } from './pool-state.ts'
import { createRounds, type Rounds } from './rounds.ts'

/** Results that are questions, made here. */
export const questions = new WeakSet<object>()

function asking(question: InputRequired): InputRequired {
  questions.add(question)
  return question
}

export interface RelayRequest {
  readonly method: string
  readonly params: JsonObject
  /** The schema of the called tool. */
  readonly inputSchema?: JsonObject
}

export interface Relay {
  /** Sends the request. Returns the result, or the questions that the client must answer first. */
  send(link: PooledConnection, request: RelayRequest, call: Call): Promise<JsonObject | InputRequired>
  /** Continues the request that the call's answers belong to; undefined if missing. */
  resume(call: Call): Promise<JsonObject | InputRequired> | undefined
}

const maxRounds = 20
const maxWaiting = 1000
/** Questions that a server asks together arrive in several messages; the client gets them as one. */
const collectMs = 50
/** For users to answer. */
const timeoutMs = 600_000

/** Progress and log messages of one call: a burst, then a rate. Protects the client from a flooding server. */
const noticeBurst = 100
const noticesPerSecond = 50

export function createRelay(clock: Clock): Relay {
  const waiting = createRounds<Waiting>({ max: maxWaiting, timeoutMs, onAbandon: (one) => one.abandon() })

  return {
    send(link, plain, asked) {
      const call = rateLimited(asked, clock)
      const request = withTrace(plain, call)
      const { ask } = call
      if (link.connection.era === 'modern') return askInRounds(link, request, call, waiting)
      // On a shared connection it is unknown which call a question belongs to.
      if (ask === undefined || ask.waits || link.session === undefined) {
        return link.connection.request(request.method, request.params, exchangeFor(link, request, call))
      }
      return askBetweenRounds(link, request, call, ask, waiting)
    },
    resume(call) {
      const { state } = call.input ?? {}
      return state === undefined ? undefined : waiting.take(call, state)?.resume(rateLimited(call, clock))
    },
  }
}

/** Passes on the caller's trace context, so that the server's spans are below the call. */
function withTrace(request: RelayRequest, { trace }: Call): RelayRequest {
  if (trace === undefined) return request
  const { _meta } = request.params
  const params = { ...request.params, _meta: { ...(isJsonObject(_meta) && _meta), ...trace } }
  return { ...request, params }
}

function rateLimited(call: Call, clock: Clock): Call {
  const { onProgress, onLog } = call
  if (onProgress === undefined && onLog === undefined) return call
  // Created lazily: most calls report no progress.
  let allowance: (() => boolean) | undefined
  const isLeft = (): boolean => (allowance ??= createAllowance(noticeBurst, noticesPerSecond, clock))()
  const measured: Mutable<Call> = { ...call }
  if (onProgress !== undefined) {
    measured.onProgress = (progress) => {
      if (isLeft()) onProgress(progress)
    }
  }
  if (onLog !== undefined) {
    measured.onLog = (...message) => {
      if (isLeft()) onLog(...message)
    }
  }
  return measured
}

/** A request that waits for answers of the client. */
interface Waiting {
  resume(call: Call): Promise<JsonObject | InputRequired>
  abandon(): void
}

function exchangeFor(link: PooledConnection, { inputSchema }: RelayRequest, call: Call): Exchange {
  const { signal, onProgress, onLog, logLevel, ask } = call
  const isShared = link.session === undefined
  const mayAsk = link.connection.era === 'modern' || !isShared
  const exchange: Mutable<Exchange> = { signal, asks: mayAsk ? (ask?.kinds ?? []) : [] }
  if (onProgress !== undefined) exchange.onProgress = onProgress
  // Logs on a shared connection may belong to another caller.
  if (onLog !== undefined && logLevel !== undefined && !isShared) {
    exchange.onLog = onLog
    exchange.logLevel = logLevel
  }
  if (ask !== undefined && ask.waits && mayAsk) exchange.ask = (question) => ask(attributed(link, question))
  if (inputSchema !== undefined) exchange.inputSchema = inputSchema
  return exchange
}

/** For servers that end each round with questions. A client that works the same way gets them, others are asked here. */
async function askInRounds(
  link: PooledConnection,
  request: RelayRequest,
  call: Call,
  waiting: Rounds<Waiting>,
  given: JsonObject = {},
): Promise<JsonObject | InputRequired> {
  let params = { ...request.params, ...given }
  for (let round = 0; round < maxRounds; round += 1) {
    const result = await link.connection.request(request.method, params, exchangeFor(link, request, call))
    if (result.resultType !== 'input_required') return result
    const requests = isJsonObject(result.inputRequests) ? result.inputRequests : {}
    const state: JsonObject =
      typeof result.requestState === 'string' ? { requestState: result.requestState } : {}
    if (call.ask?.waits !== true) return asksClient(link, request, call, waiting, requests, state)
    params = { ...request.params, ...state, inputResponses: await answersTo(requests, call.ask, link) }
  }
  throw new ContextdError('TOOL_FAILED', { hint: `The server asked ${maxRounds} times without answering.` })
}

function asksClient(
  link: PooledConnection,
  request: RelayRequest,
  call: Call,
  waiting: Rounds<Waiting>,
  requests: JsonObject,
  state: JsonObject,
): InputRequired {
  const release = link.hold()
  const name = waiting.put(call, {
    resume(next) {
      release()
      return askInRounds(link, request, next, waiting, {
        ...state,
        inputResponses: answersIn(next, requests),
      })
    },
    abandon: release,
  })
  const asked = Object.entries(requests).map(([key, question]): [string, Json] => {
    const kind = isJsonObject(question) ? askKindOf(question.method) : undefined
    if (!isJsonObject(question) || !isJsonObject(question.params) || kind === undefined)
      return [key, question]
    return [key, { ...question, params: attributed(link, { kind, params: question.params }).params }]
  })
  return asking({ kind: 'input_required', requests: Object.fromEntries(asked), state: name })
}

/**
 * Names the server in the question, because to the client every question seems to come from contextd. For the same reason
 * a server that asks for its context would get the context of all servers.
 */
function attributed({ server }: PooledConnection, { kind, params }: AskRequest): AskRequest {
  if (kind === 'sampling' && params.includeContext !== undefined) {
    return { kind, params: { ...params, includeContext: 'none' } }
  }
  if (kind !== 'elicitation' || typeof params.message !== 'string') return { kind, params }
  return { kind, params: { ...params, message: `${server.name}: ${params.message}` } }
}

/** Only answers to the server's questions: others belong to contextd's own questions. */
function answersIn({ input }: Call, requests: JsonObject): JsonObject {
  const responses = Object.entries(input?.responses ?? {})
  return Object.fromEntries(responses.filter(([key]) => Object.hasOwn(requests, key)))
}

async function answersTo(requests: JsonObject, ask: Ask, link: PooledConnection): Promise<JsonObject> {
  const answers: JsonObject = {}
  for (const [key, request] of Object.entries(requests)) {
    const { method, params = {} } = isJsonObject(request) ? request : {}
    const kind = askKindOf(method)
    if (kind === undefined || !isJsonObject(params)) {
      throw new ContextdError('TOOL_FAILED', { hint: 'The server asked a question of an unknown kind.' })
    }
    answers[key] = await ask(attributed(link, { kind, params }))
  }
  return answers
}

/** For servers that ask during the request and clients that answer in rounds: the request stays open between rounds. */
function askBetweenRounds(
  link: PooledConnection,
  request: RelayRequest,
  first: Call,
  { kinds }: Ask,
  waiting: Rounds<Waiting>,
): Promise<JsonObject | InputRequired> {
  const release = link.hold()
  const abort = new AbortController()
  const open = new Map<string, { request: AskRequest; answer: (reply: JsonObject) => void }>()
  let asked = 0
  let wake: () => void = () => {}
  /** The call of this round, which gets progress and can cancel. */
  let current = first

  const ask = (question: AskRequest): Promise<JsonObject> =>
    new Promise((answer) => {
      asked += 1
      open.set(`question-${asked}`, { request: attributed(link, question), answer })
      wake()
    })
  const exchange: Exchange = {
    ...exchangeFor(link, request, first),
    signal: abort.signal,
    onProgress: (progress) => current.onProgress?.(progress),
    asks: kinds,
    ask,
  }
  const answered = link.connection.request(request.method, request.params, exchange).finally(release)
  answered.catch(() => {})

  const round = async (call: Call): Promise<JsonObject | InputRequired> => {
    current = call
    const cancel = (): void => abort.abort(call.signal.reason)
    call.signal.addEventListener('abort', cancel, { once: true })
    try {
      if (call.signal.aborted) cancel()
      const isAsked = open.size > 0 ? Promise.resolve() : new Promise<void>((resolve) => (wake = resolve))
      const result = await Promise.race([answered, isAsked])
      if (result !== undefined) return result
      await delay(collectMs)
      const requests: JsonObject = {}
      for (const [key, { request: question }] of open) {
        requests[key] = { method: askMethods[question.kind], params: question.params }
      }
      return asking({ kind: 'input_required', requests, state: waiting.put(call, paused) })
    } finally {
      call.signal.removeEventListener('abort', cancel)
    }
  }
  const paused: Waiting = {
    resume(call) {
      for (const [key, reply] of Object.entries(call.input?.responses ?? {})) {
        const question = open.get(key)
        if (question === undefined || !isJsonObject(reply)) continue
        open.delete(key)
        question.answer(reply)
      }
      return round(call)
    },
    abandon: () => abort.abort(new ServerError({ code: -32000, message: 'nobody answered the question' })),
  }
  return round(first)
}
