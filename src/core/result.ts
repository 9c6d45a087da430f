import {
  describeError,
  errorText,
  type ErrorCode,
  type ErrorDetails,
  type ErrorObject,
} from './errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { FieldIssue } from './tool.ts'

/** The key of contextd's accounting in the `_meta` of results. */
export const RESULT_META = 'dev.contextd/result'

/** An MCP content block; we read only `type` and `text`, everything else passes unchanged. */
export type Block = { type: string } & JsonObject

/**
 * The answer of a tool.
 *
 * @example
 * import { answer, type Answer } from 'contextd'
 *
 * const greeting: Answer = answer({ text: 'hello' })
 */
export interface Answer {
  readonly kind: 'answer'
  readonly content: readonly Block[]
  /** For our own tools `{data, refs?, tokens_used, has_more?, truncated?}`, for others whatever the server sent. */
  readonly structured?: Json
  readonly isError?: boolean
  /** The error in `structured` is from our catalogue. Without this, anything of the same shape comes from the server. */
  readonly isOurError?: true
  readonly meta?: JsonObject
  /** True for our own tools: `structured.data` is the answer, and `Tool.renderText` renders the text block from it. */
  readonly own: boolean
  /** For this caller only: it is returned unscrubbed, and neither audit records nor the vault get a copy. */
  readonly isPrivate?: true
  /** Set if the data of our own answer is text behind a ref. */
  readonly slice?: SourceSlice
}

/** A byte range of the text behind a ref, so that a shortened answer can say where to continue. */
export interface SourceSlice {
  readonly ref: string
  readonly from: number
  readonly to: number
  readonly total: number
}

/** The result of a list, prompt or resource: the MCP result object itself. */
export interface Payload {
  readonly kind: 'payload'
  readonly value: JsonObject
}

/** The call continues when the client has answered these questions (protocol 2026-07-28). */
export interface InputRequired {
  readonly kind: 'input_required'
  readonly requests: JsonObject
  readonly state?: string
}

/**
 * Thrown by `ask` if the protocol cannot reach the client during a call: the call ends here, and the client repeats it
 * with the answers. Tools must not catch it.
 */
export class InputNeeded extends Error {
  readonly result: InputRequired

  constructor(requests: JsonObject) {
    super('the call waits for input')
    this.name = 'InputNeeded'
    this.result = { kind: 'input_required', requests }
  }
}

/**
 * The call was not executed. A value rather than an exception, because refusals are part of normal operation.
 *
 * @example
 * import { refusal, type Refusal } from 'contextd'
 *
 * const missing: Refusal = refusal('NOT_FOUND', { what: 'page 7' })
 * console.log(missing.error.message)
 * // → There is no page 7
 */
export interface Refusal {
  readonly kind: 'refusal'
  readonly error: ErrorObject
}

/** The error of another server, unchanged except for masked secrets. */
export interface Fault {
  readonly kind: 'fault'
  readonly error: { readonly code: number; readonly message: string; readonly data?: Json }
}

/**
 * How a call ended.
 *
 * @example
 * import type { Result } from 'contextd'
 *
 * function textOf(result: Result): string {
 *   if (result.kind === 'refusal' || result.kind === 'fault') return result.error.message
 *   return JSON.stringify(result.kind === 'answer' ? result.structured : result)
 * }
 */
export type Result = Answer | Payload | InputRequired | Refusal | Fault

/**
 * The answer of a tool that runs in contextd. The budget stage renders the text block and adds token usage.
 *
 * @example
 * import { answer } from 'contextd'
 *
 * console.log(JSON.stringify(answer({ pages: 3 }).structured))
 * // → {"data":{"pages":3}}
 */
export function answer(
  data: Json,
  extra: { blocks?: Block[]; isError?: boolean; isPrivate?: boolean; slice?: SourceSlice } = {},
): Answer {
  return {
    kind: 'answer',
    own: true,
    content: extra.blocks ?? [],
    structured: { data },
    ...(extra.isError === true && { isError: true }),
    ...(extra.isPrivate === true && { isPrivate: true }),
    ...(extra.slice !== undefined && { slice: extra.slice }),
  }
}

/**
 * A tool ran and failed: a normal result marked as an error, with the error object in its structured content.
 *
 * @example
 * import { ContextdError, failure } from 'contextd'
 *
 * const error = new ContextdError('NOT_FOUND', { what: 'page 7' })
 * console.log(failure(error.toObject()).isError)
 * // → true
 */
export function failure(error: ErrorObject): Answer {
  return {
    kind: 'answer',
    own: false,
    isError: true,
    isOurError: true,
    content: [{ type: 'text', text: errorText(error) }],
    structured: { error: error as unknown as JsonObject },
  }
}

/** Lists what is wrong with the arguments of a call, so that a model can correct itself. */
export function invalidArguments(issues: readonly FieldIssue[]): Answer {
  const fields = issues.map(({ field, expected }) => ({ field, expected }))
  return failure(describeError('INVALID_ARGUMENTS', { fields }))
}

/**
 * Refuses a call with an error from the catalogue.
 *
 * @example
 * import { refusal } from 'contextd'
 *
 * console.log(refusal('NOT_FOUND', { what: 'page 7' }).error.code)
 * // → NOT_FOUND
 */
export function refusal(code: ErrorCode, details: ErrorDetails = {}): Refusal {
  return { kind: 'refusal', error: describeError(code, details) }
}
