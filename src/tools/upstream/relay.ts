/**
 * One request to an upstream server on behalf of a caller. The server may ask the person or the model behind the client
 * before it answers: up to 2025-11-25 while the request waits, from 2026-07-28 on by ending it with its questions. The
 * client may be of the other kind than the server, so there are four ways for a question to travel.
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

/** The questions that were made here. */
export const questions = new WeakSet<object>()

function asking(question: InputRequired): InputRequired {
  questions.add(question)
  return question
}

export interface RelayRequest {
  readonly method: string
  readonly params: JsonObject
  /** Of the tool that is called. */
  readonly inputSchema?: JsonObject
}

export interface Relay {
  /** Makes the request; the server's result, or the questions that the client has to answer first. */
  send(link: PooledConnection, request: RelayRequest, call: Call): Promise<JsonObject | InputRequired>
  /** Goes on with a request that waits for the answers the call brings; undefined where none does. */
  resume(call: Call): Promise<JsonObject | InputRequired> | undefined
}

/** A server that asks on and on is not going to answer. */
const maxRounds = 20
const maxWaiting = 1000
/** What a server asks at once comes in several messages; the client is to get it as one. */
const togetherMs = 50
/** People answer slowly. */
const patienceMs = 600_000

/** Of progress and messages of one call, at once and then a second: a server that floods us must not flood the client. */
const noticesAtOnce = 100
const noticesPerSecond = 50

export function createRelay(clock: Clock): Relay {
  const waiting = createRounds<Waiting>({ most: maxWaiting, patienceMs, giveUp: (one) => one.giveUp() })

  return {
    send(link, plain, asked) {
      const call = inMeasure(asked, clock)
      const request = inTrace(plain, call)
      const { ask } = call
      if (link.connection.era === 'modern') return askInTurns(link, request, call, waiting)
      // Nobody can tell whose call a question on a shared connection belongs to.
      if (ask === undefined || ask.waits || link.session === undefined) {
        return link.connection.request(request.method, request.params, exchangeFor(link, request, call))
      }
      return askBetweenRounds(link, request, call, ask, waiting)
    },
    resume(call) {
      const { state } = call.input ?? {}
      return state === undefined ? undefined : waiting.take(call, state)?.goOn(inMeasure(call, clock))
    },
  }
}

/** What the server does belongs below the call in whoever's trace that is. */
function inTrace(request: RelayRequest, { trace }: Call): RelayRequest {
  if (trace === undefined) return request
  const { _meta } = request.params
  const params = { ...request.params, _meta: { ...(isJsonObject(_meta) && _meta), ...trace } }
  return { ...request, params }
}

function inMeasure(call: Call, clock: Clock): Call {
  const { onProgress, onLog } = call
  if (onProgress === undefined && onLog === undefined) return call
  // Most calls say nothing on their way.
  let allowance: (() => boolean) | undefined
  const isLeft = (): boolean => (allowance ??= createAllowance(noticesAtOnce, noticesPerSecond, clock))()
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

/** A request that has not been answered yet. */
interface Waiting {
  goOn(call: Call): Promise<JsonObject | InputRequired>
  giveUp(): void
}

function exchangeFor(link: PooledConnection, { inputSchema }: RelayRequest, call: Call): Exchange {
  const { signal, onProgress, onLog, logLevel, ask } = call
  const isShared = link.session === undefined
  const mayAsk = link.connection.era === 'modern' || !isShared
  const exchange: Mutable<Exchange> = { signal, asks: mayAsk ? (ask?.kinds ?? []) : [] }
  if (onProgress !== undefined) exchange.onProgress = onProgress
  // What is logged on a shared connection may be about somebody else.
  if (onLog !== undefined && logLevel !== undefined && !isShared) {
    exchange.onLog = onLog
    exchange.logLevel = logLevel
  }
  if (ask !== undefined && ask.waits && mayAsk) exchange.ask = (question) => ask(signed(link, question))
  if (inputSchema !== undefined) exchange.inputSchema = inputSchema
  return exchange
}

/** The server ends each round with its questions. A client of its kind gets them as they are; of another we ask it. */
async function askInTurns(
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
  throw new ContextdError('TOOL_FAILED', { hint: `The server asked ${maxRounds} times and did not answer.` })
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
    goOn(next) {
      release()
      return askInTurns(link, request, next, waiting, { ...state, inputResponses: answersIn(next, requests) })
    },
    giveUp: release,
  })
  const asked = Object.entries(requests).map(([key, question]): [string, Json] => {
    const kind = isJsonObject(question) ? askKindOf(question.method) : undefined
    if (!isJsonObject(question) || !isJsonObject(question.params) || kind === undefined)
      return [key, question]
    return [key, { ...question, params: signed(link, { kind, params: question.params }).params }]
  })
  return asking({ kind: 'input_required', requests: Object.fromEntries(asked), state: name })
}

/**
 * A person must know who wants to know: to the client, every question seems to come from us. For the same reason a server
 * that asks for its context would get that of all others.
 */
function signed({ server }: PooledConnection, { kind, params }: AskRequest): AskRequest {
  if (kind === 'sampling' && params.includeContext !== undefined) {
    return { kind, params: { ...params, includeContext: 'none' } }
  }
  if (kind !== 'elicitation' || typeof params.message !== 'string') return { kind, params }
  return { kind, params: { ...params, message: `${server.name}: ${params.message}` } }
}

/** Of what the client sent only what was asked for: the rest answers questions of our own. */
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
      throw new ContextdError('TOOL_FAILED', { hint: 'The server asked something that nobody can answer.' })
    }
    answers[key] = await ask(signed(link, { kind, params }))
  }
  return answers
}

/** The server asks while its request waits; the client gets the question as the end of a round, and the request stays. */
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
  /** Who hears of progress, and whose cancellation counts: the client's call of this round. */
  let current = first

  const ask = (question: AskRequest): Promise<JsonObject> =>
    new Promise((answer) => {
      asked += 1
      open.set(`question-${asked}`, { request: signed(link, question), answer })
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
      await delay(togetherMs)
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
    goOn(call) {
      for (const [key, reply] of Object.entries(call.input?.responses ?? {})) {
        const question = open.get(key)
        if (question === undefined || !isJsonObject(reply)) continue
        open.delete(key)
        question.answer(reply)
      }
      return round(call)
    },
    giveUp: () => abort.abort(new ServerError({ code: -32000, message: 'nobody answered the question' })),
  }
  return round(first)
}
