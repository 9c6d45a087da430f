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

/** How long a background command may run unless the rules set `limits.command_seconds`. */
export const maxBackgroundSeconds = 3600

/** What a call has in addition to the time of its command: for starting it and returning its result. */
const commandReserveMs = 10_000

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
  /** The grants a caller needs before the tool is even listed. */
  readonly needs: readonly Capability['kind'][]
  /** Open to every identified agent: other rules decide what it shows and does. */
  readonly open?: boolean
  /** Whether the tool is currently useful to this caller; lists omit it otherwise. */
  isUseful?(call: Call): boolean
  /**
   * Whether a call with these (not yet validated) arguments is allowed when the budget is used up, because it stores
   * and reads nothing.
   */
  free?(args: JsonObject): boolean
  /** Max tokens of an answer; the configured default if absent. */
  readonly maxTokens?: number
  /**
   * The text of an answer, which is what a model sees of it, from its data. The data was scrubbed and may have been
   * shortened: texts contain their own markers, lists may have fewer items. Absent for the general form, one
   * `key: value` per line.
   */
  renderText?(data: JsonObject): string
  /** Whether to keep the start of a long answer, or its start and end. */
  readonly keep?: 'head' | 'head-and-tail'
  /**
   * The actual target of a call, for a tool that wraps others: the same call with the server and tool that the rules
   * name. Rules, limits, scrubber and dispatch use the target.
   */
  resolveTarget?(call: Call): TargetResolution
  /**
   * The file that a call writes, for tools that write one: tokens in its new text are restored where the file already
   * contains the secret. Undefined if the file does not exist or the caller may not read it.
   */
  written?(call: Call): Promise<WrittenFile | undefined>
  /** Whether a call changes nothing, for tools whose definition does not say so. */
  isReadOnly?(call: Call): Promise<boolean>
  /**
   * For tools that run a command: how long it may take, which can be longer than other calls may take. The rules limit
   * only times that the arguments request.
   */
  commandTime?(args: JsonObject): CommandTime
  /** Stores text so that tokens in it mean the same to everyone who reads it later. */
  readonly keepsTokens?: boolean
  /** The arguments for an audit record, if they may contain secrets that no pattern recognizes. */
  forRecord?(args: JsonObject): JsonObject
  /**
   * Validates the arguments and fills in defaults. Dispatch calls it exactly once: only then are the arguments final,
   * after the rules replaced some and tokens were restored. The functions above get them unvalidated, and
   * `resolveTarget` of a tool that wraps another validates them itself. Absent if `run` validates.
   */
  parse?(args: JsonObject): ParsedArguments
  /**
   * `args` as `parse` returned them. Time has passed since the tool was resolved, and the user may have been asked: a
   * tool that can change or be removed must check here that it is still the same.
   */
  run(args: JsonObject, host: ToolHost): Promise<Result>
}

export interface CommandTime {
  readonly ms: number
  readonly isRequested: boolean
  /** The call does not wait for its end. */
  readonly isBackground: boolean
}

export interface WrittenFile {
  /** Its current content. */
  readonly text: string
  /** The arguments whose text is written to it. */
  readonly arguments: readonly string[]
  /** The part of the file that their text replaces: everything if absent. For an argument that is a list, by item. */
  readonly replaced?: string | readonly string[]
}

/** The resolved call, or why it cannot be resolved. */
export type TargetResolution = Call | Refusal | Answer

/** What can be listed in addition to tools. */
export type PayloadList = 'prompts' | 'resources' | 'resourceTemplates'

/** A change of prompts or resources. */
export interface PayloadChange {
  /** The session whose client is notified; all sessions if absent. */
  readonly session?: string
  /** The resource that changed; absent if a list changed. */
  readonly uri?: string
}

/** Prompts and resources, for hosts that offer them. */
export interface PayloadSource {
  list(what: PayloadList, call: Call): Promise<readonly JsonObject[]>
  /** The server it belongs to and its name there: the same call with the names that the rules use. */
  resolveTarget?(call: Call): Promise<TargetResolution>
  prompt(name: string, args: JsonObject, host: ToolHost): Promise<Result>
  resource(uri: string, host: ToolHost): Promise<Result>
  /**
   * From now on `onChanged` reports this resource for the caller's session; a source that notifies everyone does not
   * implement it.
   */
  subscribe?(uri: string, host: ToolHost): Promise<Result>
  unsubscribe?(uri: string, host: ToolHost): Promise<Result>
  /** Returns a function that unsubscribes. */
  onChanged?(listener: (change: PayloadChange) => void): () => void
}

/** What can be called right now, in a stable order. */
export interface Catalogue {
  /** Our own tools, and those passed in at startup. */
  tools(): readonly Tool[]
  /** Includes what other servers offer this caller, under the names that clients see. Not yet filtered by the rules. */
  list(call: Call): Promise<readonly ToolDefinition[]>
  /** By the name that clients see, or with `server`, by the name on that server. */
  find(name: string, server?: string): Tool | undefined
  /** Undefined while no server offers any; servers come and go. */
  readonly payloads?: PayloadSource | undefined
}

/** How long a call waits for the command that it runs; 0 if it runs none, or in the background. */
export function commandWaitMs(tool: Tool | undefined, args: JsonObject): number {
  const time = tool?.commandTime?.(args)
  return time === undefined || time.isBackground ? 0 : time.ms + commandReserveMs
}
