/** A provider's wire format. One file per format implements it; the rest of the model door is shared. */

import type { ModelApi, CreateRewriter } from '../../core/model.ts'
import type { JsonNode, StringNode } from './json-spans.ts'

/** The kind of request a path stands for. */
export interface Endpoint {
  /** `generate` returns a model's output, `count` only counts its tokens. */
  readonly kind: 'generate' | 'count'
  /** Which shape the body has, if a format has several (`responses`, `chat`). */
  readonly shape: string
  /** If the path names it, as in Gemini. */
  readonly model?: string
}

/** A tool call of the conversation so far, as the client sends it back. */
export interface ToolUse {
  readonly id: string
  readonly tool: string
  /** An object, or a string node whose text is JSON (OpenAI) or free text (custom tools). */
  readonly input: JsonNode
}

/** The result of a tool call. */
export interface ToolResult {
  readonly id: string
  /** Its whole content: text, blocks. */
  readonly content: JsonNode
  /** Where a note for the model can be added; absent if the format does not allow one. */
  readonly notePlace?: NotePlace
}

/** At the end of a string, or as JSON text inserted at an offset of the body. */
export type NotePlace =
  | { readonly string: StringNode }
  | { readonly at: number; readonly insert: (note: string) => string }

/** The parts of a request that need special treatment. All other strings, including field names, are scrubbed. */
export interface RequestView {
  /** Nodes that must pass unchanged: signed reasoning, images, ids, and data that the provider defines as opaque. */
  readonly exempt: ReadonlySet<JsonNode>
  /**
   * Strings that contain base64-encoded text documents: decoded, scrubbed and encoded again. A `data:` URL keeps its
   * part before the first comma.
   */
  readonly base64: ReadonlySet<StringNode>
  /** Strings that contain JSON (function arguments of OpenAI): scrubbed as JSON. */
  readonly json: ReadonlySet<StringNode>
  readonly toolUses: readonly ToolUse[]
  readonly toolResults: readonly ToolResult[]
  /** Texts that may get the one-time explanation of tokens appended, in the order of the conversation. */
  readonly texts: readonly NotePlace[]
}

/** A complete tool call in a response. */
export interface ToolInput {
  readonly id: string
  /**
   * The id the call will have in later requests, if the format has none and it is derived from what the client
   * receives.
   */
  readonly idOf?: (restored: string) => string
  readonly tool: string
  /** Its JSON text as the model wrote it; free text if `form` is `text`. */
  readonly text: string
  readonly form: 'json' | 'text'
}

/**
 * Returns the input as the client may have it: the same text if no token is restored. It never differs before the
 * first `[SECRET_`, so that everything up to there can be passed on before the whole input is known.
 */
export type RestoreInput = (input: ToolInput) => Promise<string>

export interface DoorError {
  readonly status: number
  readonly message: string
}

export interface Dialect {
  readonly api: ModelApi
  /** Undefined for unknown endpoints: the body then passes only if it contains nothing to scrub. */
  endpointOf(method: string, path: string): Endpoint | undefined
  view(text: string, root: JsonNode, endpoint: Endpoint): RequestView
  /** For `generate`: restores tool inputs and reads the usage, in streams and in whole responses. */
  rewriter(endpoint: Endpoint, restore: RestoreInput): CreateRewriter
  /** A refusal by contextd in the provider's own format, which clients can display. */
  errorBody(error: DoorError): string
}
