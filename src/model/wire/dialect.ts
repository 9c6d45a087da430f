/** What one provider's wire format means to the model door. One file per format implements it; the rest is shared. */

import type { ModelApi, CreateRewriter } from '../../core/model.ts'
import type { JsonNode, StringNode } from './json-spans.ts'

/** What a path asks for. */
export interface Endpoint {
  /** `generate` answers with a model's output, `count` only counts its tokens. */
  readonly kind: 'generate' | 'count'
  /** Which shape the body has, where a format has several (`responses`, `chat`). */
  readonly shape: string
  /** Where the path names it, as in Gemini. */
  readonly model?: string
}

/** A tool call of the conversation so far, as the client sends it back. */
export interface ToolUse {
  readonly id: string
  readonly tool: string
  /** An object, or a string node whose text is JSON (OpenAI) or free text (custom tools). */
  readonly input: JsonNode
}

/** The result that belongs to a tool call. */
export interface ToolResult {
  readonly id: string
  /** Everything in it: text, blocks. */
  readonly content: JsonNode
  /** Where a note for the model can be added; absent where the format has no room for one. */
  readonly notePlace?: NotePlace
}

/** At the end of a string, or as JSON text inserted at an offset of the body. */
export type NotePlace =
  | { readonly string: StringNode }
  | { readonly at: number; readonly insert: (note: string) => string }

/** What is special in a request. Every other string, names included, is scrubbed. */
export interface RequestView {
  /** Whole nodes that must pass unchanged: signed reasoning, images, ids, what the vendor's contract calls opaque. */
  readonly exempt: ReadonlySet<JsonNode>
  /**
   * Strings that contain base64 of a text (a text document): scrubbed decoded, encoded again. One that starts with
   * `data:` keeps everything up to its first comma.
   */
  readonly base64: ReadonlySet<StringNode>
  /** Strings whose text is JSON (function arguments of OpenAI): scrubbed as JSON. */
  readonly json: ReadonlySet<StringNode>
  readonly toolUses: readonly ToolUse[]
  readonly toolResults: readonly ToolResult[]
  /** Nodes of texts that may get the one-time explanation of tokens appended, in the order of the conversation. */
  readonly texts: readonly NotePlace[]
}

/** A tool call in a response, complete. */
export interface ToolInput {
  readonly id: string
  /** The id the call will have in later requests, where the format has none and it is derived from what the client gets. */
  readonly idOf?: (restored: string) => string
  readonly tool: string
  /** Its JSON text as the model wrote it; for `form: 'text'` free text. */
  readonly text: string
  readonly form: 'json' | 'text'
}

/**
 * Answers the input as the client may have it: the same text where no token is restored. It never differs before the first
 * `[SECRET_`, so that everything up to there can be passed on before the whole input is known.
 */
export type RestoreInput = (input: ToolInput) => Promise<string>

export interface DoorError {
  readonly status: number
  readonly message: string
}

export interface Dialect {
  readonly api: ModelApi
  /** Undefined for what it does not understand: then the body passes only if it contains nothing to scrub. */
  endpointOf(method: string, path: string): Endpoint | undefined
  view(text: string, root: JsonNode, endpoint: Endpoint): RequestView
  /** For `generate`: restores tool inputs and reads the usage, in a stream and in a whole response. */
  rewriter(endpoint: Endpoint, restore: RestoreInput): CreateRewriter
  /** A refusal by contextd in the provider's own format, which clients know how to show. */
  errorBody(error: DoorError): string
}
