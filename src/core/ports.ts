/** Types of what is injected: a stage or tool says what it needs, `compose.ts` supplies it. */

import type { Scrubbed } from '@contextd/scrub/internal/scrubbed'
import type { Call, LogLevel, Progress, Scope } from './call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Refusal } from './result.ts'

export type { Finding, Scrub, Scrubbed } from '@contextd/scrub/internal/scrubbed'

/** Epoch milliseconds. */
export type Clock = () => number

/** For scrubbed text that outlives its session: memory, checkpoints, an index. */
export interface LastingText {
  /** The text with ids in place of this session's tokens. */
  archive(text: string, session: string): string
  /** Archived text with tokens of the session that reads it; a secret that was forgotten reads `[SECRET_FORGOTTEN]`. */
  recall(text: string, session: string): string
}

/** Where a token may become its value again. What is left out may be anything. */
export interface RevealRule {
  readonly tool: string
  /** A top-level argument of the tool. */
  readonly argument?: string | undefined
  /** Everything in the arguments that can be told to be a destination must be this one. */
  readonly host?: string | undefined
}

export interface RefSlice {
  readonly text: string
  /** Where the next slice starts; absent at the end. */
  readonly next?: number
  readonly total: number
}

/** Scrubbed text kept for later reading by the session and agent it was made for; text of a branch, inside that branch only. */
export interface Refs {
  save(scope: Scope, text: string): string
  /** Throws REF_NOT_FOUND or REF_EXPIRED. `maxTokens` bounds the slice. */
  read(scope: Scope, ref: string, offset: number, maxTokens: number): RefSlice
}

/** A branch is a subtask whose answers stay out of the context it was opened from. It pays for what it is answered. */
export interface BranchBudget {
  /** The branch a call is a part of, if any. A refusal where it names one that is not its to be in. */
  enter(call: Call): BranchUsage | Refusal | undefined
  /** Where the answer of a call counts that began in that branch: around it where it has ended. */
  usageOf(branch: string): BranchUsage | undefined
  /** Together with `standing` inside one transaction, so that nobody else spends the same tokens. */
  charge(call: Call, branch: string, spent: BranchSpending): void
}

export interface BranchUsage {
  readonly id: string
  readonly budget: number
  readonly used: number
  /** Whoever opened it works in it too: every answer goes into the very context that is to be spared. */
  readonly isOwn: boolean
  /** The caller is in it from this call on, and perhaps does not know. */
  readonly isNew?: true
}

export interface BranchSpending {
  /** Tokens that were answered. */
  readonly returned: number
  /** Tokens the answer would have had outside of any branch. */
  readonly produced: number
}

/** Counts tokens, rather too many than too few. */
export type CountTokens = (text: string) => number

/**
 * What a tool can use while it runs.
 *
 * @example
 * import { answer, type Result, type ToolHost } from 'contextd'
 *
 * async function run(_: object, host: ToolHost): Promise<Result> {
 *   host.progress({ progress: 1, total: 2, message: 'reading' })
 *   return answer({ text: await host.scrub('read from elsewhere') })
 * }
 */
export interface ToolHost {
  readonly call: Call
  /** Scrubs text inside the tool (layer C1), for what the tool itself writes elsewhere. */
  scrub(text: string): Promise<string>
  /**
   * Puts real values back for the tokens this call may reveal, and only those. Arguments come with theirs already; this
   * is for text from elsewhere.
   */
  reveal(text: string): string
  /** Scrubs text and makes it fit to be kept beyond the session; `recall` makes it readable again. */
  archive(text: string): string
  recall(text: string): string
  readonly refs: { save(text: string): string; read(ref: string, offset?: number): RefSlice }
  progress(progress: Progress): void
  log(level: LogLevel, message: Json): void
  /** Present where the rules grant them and the feature is there. */
  readonly fetch?: (url: string, init?: JsonObject) => Promise<JsonObject>
  readonly memory?: { search(query: string): Promise<Json>; store(memory: JsonObject): Promise<string> }
  readonly checkpoints?: { save(state: JsonObject): Promise<string>; restore(id: string): Promise<Json> }
}

/** What one agent of a session was given for itself, and what nobody else of that session may see of it. */
export interface PrivateContext {
  /** The caller has it from now on; everyone else of its session meets `[PRIVATE]` in its place. */
  remember(call: Call, loaded: { readonly key?: string; readonly text: string }): void
  /** The text as `caller` (see `callerName`) may see it; undefined: as a record may hold it. */
  mask(text: string, session: string, caller: string | undefined): Scrubbed
  /** The agents of a session that hold some. */
  holders(session: string): readonly { readonly agent: string; readonly instance?: string }[]
}

/** Who asks, as far as anyone knows. */
export type Asker = Pick<Call, 'principal'> & Partial<Pick<Call, 'claims'>>

/** Asks the rules what a caller may use, for whoever makes a list of it. */
export interface AccessPolicy {
  mayUse(call: Asker, target: RuleTarget): boolean
  /** Whether a caller may know of a server at all. */
  maySee(call: Asker, server: string): boolean
  /** Tells a caller who may not. */
  refuse(call: Call, server: string): Refusal
}

/** Something of a server, in the words of the rules. */
export interface RuleTarget {
  readonly method: 'tool' | 'prompt' | 'resource'
  readonly server: string
  /** Tool or prompt name, or resource address. */
  readonly tool: string
}

/** How far a yes of the person reaches; `no` is remembered for the session. */
export const approvalAnswers = ['once', 'session', 'always', 'no'] as const
export type ApprovalAnswer = (typeof approvalAnswers)[number]

/** What stands between a call and its tool until a person has said yes. */
export interface ApprovalNeeded {
  /** A sentence for whoever called. */
  readonly why: string
  /** What a person runs on their own terminal to say yes there. */
  readonly command: string
  /** What the person may also be asked through the client; absent where only the terminal will do. */
  readonly question?: string
}

/** Asked before a tool runs. */
export interface Approvals {
  needed(call: Call): ApprovalNeeded | undefined
  /** The person behind the client is being asked. */
  asked?(call: Call, needed: ApprovalNeeded): void
  /** Takes down what the person said to the question. Throws where that cannot be recorded. */
  answered(call: Call, needed: ApprovalNeeded, answer: ApprovalAnswer): void
}
