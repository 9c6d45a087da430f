import type { Call } from './call.ts'
import type { Capability } from './capability.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from './ports.ts'
import type { Answer, Refusal, Result } from './result.ts'

/**
 * What `tools/list` shows.
 *
 * @example
 * import type { ToolDefinition } from 'contextd'
 *
 * const definition: ToolDefinition = {
 *   name: 'count_words',
 *   description: 'Counts the words of a text.',
 *   inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
 * }
 */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

export interface FieldIssue {
  /** Path of the argument, such as `offset` or `env.PATH`. */
  readonly field: string
  readonly expected: string
}

export type ParsedArguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly issues: readonly FieldIssue[] }

/**
 * What the dispatch stage runs.
 *
 * @example
 * import { answer, type Tool } from 'contextd'
 *
 * const countWords: Tool = {
 *   definition: {
 *     name: 'count_words',
 *     description: 'Counts the words of a text.',
 *     inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
 *   },
 *   server: 'my-app',
 *   needs: [],
 *   run: async ({ text }) => answer({ words: String(text).split(/\s+/).length }),
 * }
 */
export interface Tool {
  readonly definition: ToolDefinition
  /** The server it belongs to in the rules. */
  readonly server: string
  /** What the caller must be granted before the tool is even listed. */
  readonly needs: readonly Capability['kind'][]
  /** Open to every identified agent: what it shows and does is decided by other rules. */
  readonly open?: boolean
  /** Whether this caller has any use for it right now; it is left out of lists where not. */
  isUseful?(call: Call): boolean
  /** Whether a call with these arguments, unchecked as yet, works when the budget is used up: it keeps and reads nothing. */
  free?(args: JsonObject): boolean
  /** Tokens one answer may have; the configured default where absent. */
  readonly maxTokens?: number
  /** Keep the start of a long answer, or start and end. */
  readonly keep?: 'head' | 'head-and-tail'
  /**
   * What a call of it is really about, for a tool that stands for another: the same call, in the words of the rules for
   * that server and tool. The rules, the limits, the scrubber and dispatch go by it.
   */
  resolveTarget?(call: Call): TargetResolution
  /**
   * The file that a call writes, for tools that write one: a token in its text becomes the secret again where that is in
   * the file already. Undefined where there is no such file, or the caller may not read it.
   */
  written?(call: Call): Promise<WrittenFile | undefined>
  /** Whether a call of it changes nothing, for tools whose definition does not say it. */
  isReadOnly?(call: Call): Promise<boolean>
  /** Stores text so that tokens in it mean the same to everyone who reads it later. */
  readonly keepsTokens?: boolean
  /** The arguments as they may stand in a record, where they hold what no pattern recognises as a secret. */
  forRecord?(args: JsonObject): JsonObject
  /**
   * Validates the arguments and fills in defaults. Dispatch calls it, once: only there are they final, after the rules
   * replaced some and tokens became secrets again. The functions above get them unvalidated, and `resolveTarget` of a
   * tool that wraps another validates them itself. Absent if `run` does.
   */
  parse?(args: JsonObject): ParsedArguments
  /**
   * `args` as `parse` returned them. Time has passed since the tool was found, and the user may have been asked: a tool
   * that can change or be removed checks here that it is still what it was.
   */
  run(args: JsonObject, host: ToolHost): Promise<Result>
}

export interface WrittenFile {
  /** Its current content. */
  readonly text: string
  /** The arguments whose text goes into it. */
  readonly arguments: readonly string[]
  /** What of it their text takes the place of: everything where absent. */
  readonly replaced?: string
}

/** The call as it is meant, or why it cannot be. */
export type TargetResolution = Call | Refusal | Answer

/** What can be listed beside tools. */
export type PayloadList = 'prompts' | 'resources' | 'resourceTemplates'

/** Something of prompts and resources is different now. */
export interface PayloadChange {
  /** Whose client is to be told; everyone's where absent. */
  readonly session?: string
  /** The resource that changed; absent when a list did. */
  readonly uri?: string
}

/** Prompts and resources, for hosts that offer them. */
export interface PayloadSource {
  list(what: PayloadList, call: Call): Promise<readonly JsonObject[]>
  /** Which server's it is, and what it is called there: the same call in the words of the rules. */
  resolveTarget?(call: Call): Promise<TargetResolution>
  prompt(name: string, args: JsonObject, host: ToolHost): Promise<Result>
  resource(uri: string, host: ToolHost): Promise<Result>
  /** From now on `onChanged` hears of this resource for the caller's session; a source that tells everyone has none. */
  subscribe?(uri: string, host: ToolHost): Promise<Result>
  unsubscribe?(uri: string, host: ToolHost): Promise<Result>
  /** Answers how to stop listening. */
  onChanged?(listener: (change: PayloadChange) => void): () => void
}

/** What can be called right now, in a stable order. */
export interface Catalogue {
  /** Our own tools, and those that came with us. */
  tools(): readonly Tool[]
  /** Also what other servers offer this caller, under the names that clients see. The rules have not looked at it. */
  list(call: Call): Promise<readonly ToolDefinition[]>
  /** By the name that clients see, or by the name its server gives it. */
  find(name: string, server?: string): Tool | undefined
  /** Undefined while nobody offers any; servers come and go. */
  readonly payloads?: PayloadSource | undefined
}
