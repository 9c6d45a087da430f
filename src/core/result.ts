import { describeError, errorText, type ErrorCode, type ErrorDetails, type ErrorObject } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { FieldIssue } from './tool.ts'

/** An MCP content block; we read only `type` and `text`, all else passes as it is. */
export type Block = { type: string } & JsonObject

/** What a tool answered. */
export interface Answer {
  readonly kind: 'answer'
  readonly content: readonly Block[]
  /** For our own tools `{data, refs?, tokens_used, has_more?, truncated?}`, for others whatever they sent. */
  readonly structured?: Json
  readonly isError?: boolean
  /** The error in `structured` is one of our catalogue. Whatever else has the shape of one is the word of whoever said it. */
  readonly isOurError?: true
  readonly meta?: JsonObject
  /** True for our own tools: `structured.data` is the answer and the text block is rendered from it. */
  readonly own: boolean
  /** Meant for this caller and nobody else: it leaves unscrubbed, and neither records nor the vault get a copy. */
  readonly isPrivate?: true
  /** Where the data of our own answer is text behind a ref. */
  readonly slice?: SourceSlice
}

/** A stretch of the text behind a ref, in bytes: whoever shortens the answer can say where to read on. */
export interface SourceSlice {
  readonly ref: string
  readonly from: number
  readonly to: number
  readonly total: number
}

/** What a list, a prompt or a resource answered: the MCP result object itself. */
export interface Payload {
  readonly kind: 'payload'
  readonly value: JsonObject
}

/** The call goes on when the client has answered these questions (protocol 2026-07-28). */
export interface InputRequired {
  readonly kind: 'input_required'
  readonly requests: JsonObject
  readonly state?: string
}

/**
 * Thrown by `ask` where the protocol has no way back to the client in the middle of a call: the call ends here, and the
 * client makes it again with the answers. A tool lets it pass.
 */
export class InputNeeded extends Error {
  readonly result: InputRequired

  constructor(requests: JsonObject) {
    super('the call waits for input')
    this.name = 'InputNeeded'
    this.result = { kind: 'input_required', requests }
  }
}

/** The call was not carried out. A value, not an exception: refusing is ordinary work. */
export interface Refusal {
  readonly kind: 'refusal'
  readonly error: ErrorObject
}

/** The error that another server answered with, in its own words: it leaves as it came, but for secrets. */
export interface Fault {
  readonly kind: 'fault'
  readonly error: { readonly code: number; readonly message: string; readonly data?: Json }
}

export type Result = Answer | Payload | InputRequired | Refusal | Fault

/** The answer of one of our own tools. The budget stage renders the text block and adds the book-keeping. */
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

/** A tool that ran and failed: a normal result that says so, with the error object where programs find it. */
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

/** What is wrong with the arguments of a call, so that a model can correct itself. */
export function invalidArguments(issues: readonly FieldIssue[]): Answer {
  const fields = issues.map(({ field, expected }) => ({ field, expected }))
  return failure(describeError('INVALID_ARGUMENTS', { fields }))
}

export function refusal(code: ErrorCode, details: ErrorDetails = {}): Refusal {
  return { kind: 'refusal', error: describeError(code, details) }
}
