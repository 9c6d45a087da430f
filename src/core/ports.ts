/** Types of what is injected: a stage or tool says what it needs, `compose.ts` supplies it. */

import type { Call, LogLevel, Progress, Scope } from './call.ts'
import type { Json, JsonObject } from './json.ts'

/** Epoch milliseconds. */
export type Clock = () => number

export interface Finding {
  readonly rule: string
  /** UTF-16 offsets in the text that was scrubbed. */
  readonly start: number
  readonly end: number
  readonly token: string
}

export interface Scrubbed {
  readonly text: string
  readonly findings: readonly Finding[]
}

/**
 * Tokens are numbered per session, so a scrubber always needs to know which. `key` is the name the text stands under in
 * a structure, where there is one. Throws when it cannot vouch for the text.
 */
export type Scrub = (text: string, session: Pick<Scope, 'tenant' | 'session'>, key?: string) => Scrubbed

export interface RefSlice {
  readonly text: string
  /** Where the next slice starts; absent at the end. */
  readonly next?: number
  readonly total: number
}

/** Scrubbed text kept for later reading by the session and agent it was made for. */
export interface Refs {
  save(scope: Scope, text: string): string
  /** Throws REF_NOT_FOUND or REF_EXPIRED. `maxTokens` bounds the slice. */
  read(scope: Scope, ref: string, offset: number, maxTokens: number): RefSlice
}

/** What is left of a branch's budget; branches charge it with what tools really returned. */
export interface BranchBudget {
  /** What the branch began with. */
  limit(call: Call): number | undefined
  /** Undefined where the caller is in no branch. */
  remaining(call: Call): number | undefined
  charge(call: Call, tokens: number): void
}

/** Counts tokens, rather too many than too few. */
export type CountTokens = (text: string) => number

/** What a tool gets to work with. */
export interface ToolHost {
  readonly call: Call
  /** Scrubs text inside the tool (layer C1), for what the tool itself writes elsewhere. */
  scrub(text: string): string
  /** Puts real values back for the tokens this call may reveal, and only those. */
  reveal(text: string): string
  readonly refs: { save(text: string): string; read(ref: string, offset?: number): RefSlice }
  progress(progress: Progress): void
  log(level: LogLevel, message: Json): void
  /** Present where the rules grant them and the feature is there. */
  readonly fetch?: (url: string, init?: JsonObject) => Promise<JsonObject>
  readonly memory?: { search(query: string): Promise<Json>; store(memory: JsonObject): Promise<string> }
  readonly checkpoints?: { save(state: JsonObject): Promise<string>; restore(id: string): Promise<Json> }
}
