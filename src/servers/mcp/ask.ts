import { createHash } from 'node:crypto'

import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type ClientCapabilities,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'

import { askMethods, type Ask, type AskKind, type AskRequest } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { InputNeeded, type InputRequired } from '../../core/result.ts'

/** Users answer slowly. The call's own deadline still ends the wait. */
const answerTimeoutMs = 600_000

export function kindsOf(capabilities: ClientCapabilities | undefined): readonly AskKind[] {
  return (['elicitation', 'sampling', 'roots'] as const).filter((kind) => capabilities?.[kind] !== undefined)
}

/** Up to 2025-11-25: the question is sent to the client while the call waits. */
export function askWhileWaiting(
  ctx: ServerContext,
  kinds: readonly AskKind[],
  clean: (value: JsonObject) => JsonObject,
): Ask | undefined {
  return withKinds(kinds, true, async ({ kind, params }) => {
    if (!kinds.includes(kind)) {
      const hint = `Call from a client that declares the ${kind} capability.`
      throw new ContextdError('INVALID_REQUEST', {
        what: `the client does not support ${kind} requests`,
        hint,
      })
    }
    const request = { method: askMethods[kind], params: clean(params) }
    return (await ctx.mcpReq.send(request, {
      signal: ctx.mcpReq.signal,
      timeout: answerTimeoutMs,
    })) as JsonObject
  })
}

/**
 * From 2026-07-28: the call ends with the question and is repeated with the answer. The tool then runs from its
 * start and receives earlier answers in the order of its questions; those it uses are stored in `used` for later
 * rounds.
 */
export function askByReturning(
  kinds: readonly AskKind[],
  answers: JsonObject,
  used: JsonObject,
): Ask | undefined {
  let asked = 0
  return withKinds(kinds, false, async ({ kind, params }) => {
    asked += 1
    // Distinct from questions of other servers, whose keys pass through unchanged.
    const key = `dev.contextd/ask-${asked}`
    const answer = answers[key]
    if (!isJsonObject(answer)) throw new InputNeeded({ [key]: { method: askMethods[kind], params } })
    used[key] = answer
    return answer
  })
}

function withKinds(
  kinds: readonly AskKind[],
  waits: boolean,
  ask: (request: AskRequest) => Promise<JsonObject>,
): Ask | undefined {
  return kinds.length === 0 ? undefined : Object.assign(ask, { kinds, waits })
}

/** State that the client carries from one round of a call to the next. Signed, because the client could change it. */
interface RoundState {
  /** The request it was issued for: it is invalid for another session, tool or arguments. */
  readonly bound: string
  readonly answers: JsonObject
  readonly state?: string
}

/** The request that a round belongs to. */
export interface Round {
  readonly session: string
  readonly method: string
  readonly name: string
  readonly arguments: JsonObject
}

export type RoundCodec = RequestStateCodec<RoundState>

export function createRoundCodec(key: Uint8Array): RoundCodec {
  return createRequestStateCodec<RoundState>({ key })
}

/** The state of the previous round. */
export function readRound(ctx: ServerContext, round: Round): { answers: JsonObject; state?: string } {
  const carried = ctx.mcpReq.requestState<RoundState>()
  if (carried === undefined) return { answers: {} }
  if (carried.bound !== boundTo(round)) {
    // The SDK's wording for an invalid signature, so that probing reveals nothing more.
    const data = { reason: 'invalid_request_state' }
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', data)
  }
  return carried
}

/** The result that asks the question, with the state for the next round. */
export async function writeRound(
  { requests, state }: InputRequired,
  round: Round,
  answers: JsonObject,
  codec: RoundCodec,
): Promise<JsonObject> {
  const asks = { resultType: 'input_required', inputRequests: requests }
  if (state === undefined && Object.keys(answers).length === 0) return asks
  const carried = { bound: boundTo(round), answers, ...(state !== undefined && { state }) }
  return { ...asks, requestState: await codec.mint(carried) }
}

function boundTo({ session, method, name, arguments: args }: Round): string {
  const text = canonicalJson([session, method, name, args] satisfies Json)
  return createHash('sha256').update(text).digest('base64url')
}
