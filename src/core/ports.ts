/** Types of injected dependencies: a stage or tool declares what it needs, `compose.ts` supplies it. */

import type { Scrubbed } from '@contextd/scrub/internal/scrubbed'
import type { Call, LogLevel, Progress, Scope } from './call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Refusal } from './result.ts'

export type { Finding, Scrub, Scrubbed } from '@contextd/scrub/internal/scrubbed'

/** Epoch milliseconds. */
export type Clock = () => number

/** For scrubbed text that outlives its session: memory, checkpoints, an index. */
export interface LastingText {
  /** The text with permanent ids in place of this session's tokens. */
  archive(text: string, session: string): string
  /** Archived text with tokens of the reading session; a forgotten secret becomes `[SECRET_FORGOTTEN]`. */
  recall(text: string, session: string): string
}

/** When a token may be replaced by its value. Omitted fields match anything. */
export interface RevealRule {
  readonly tool: string
  /** A top-level argument of the tool. */
  readonly argument?: string | undefined
  /** Every recognizable destination in the arguments must be this host. */
  readonly host?: string | undefined
}

export interface RefSlice {
  readonly text: string
  /** Where the next slice starts; absent at the end. */
  readonly next?: number
  readonly total: number
}

/**
 * Scrubbed text stored for later reading by its session and agent; text created in a branch can only be read inside
 * that branch.
 */
export interface Refs {
  save(scope: Scope, text: string): string
  /** Throws REF_NOT_FOUND or REF_EXPIRED. `maxTokens` limits the slice. */
  read(scope: Scope, ref: string, offset: number, maxTokens: number): RefSlice
}

/**
 * A branch is a subtask whose answers stay out of the context it was opened from. Answers are charged to the branch's
 * budget.
 */
export interface BranchBudget {
  /** The branch a call is part of, if any. A refusal if it names a branch the caller is not in. */
  enter(call: Call): BranchUsage | Refusal | undefined
  /** The branch that is charged for the answer of a call that began in `branch`: an enclosing one if that has ended. */
  usageOf(branch: string): BranchUsage | undefined
  /** Must run in the same transaction as `usageOf`, so that no other call spends the same tokens. */
  charge(call: Call, branch: string, spent: BranchSpending): void
}

export interface BranchUsage {
  readonly id: string
  readonly budget: number
  readonly used: number
  /** The caller itself opened it, so every answer goes into the very context that the branch is meant to spare. */
  readonly isOwn: boolean
  /** The caller is in it starting with this call, and may not know that. */
  readonly isNew?: true
}

export interface BranchSpending {
  /** Tokens of the answer as returned. */
  readonly returned: number
  /** Tokens the answer would have had without a branch. */
  readonly produced: number
}

/** Counts tokens; may overestimate but should not underestimate. */
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
   * Replaces tokens with the real values that this call may reveal, and only those. Arguments already contain theirs;
   * this is for text from elsewhere.
   */
  reveal(text: string): string
  /** Scrubs text and prepares it for storage beyond the session; `recall` makes it readable again. */
  archive(text: string): string
  recall(text: string): string
  readonly refs: { save(text: string): string; read(ref: string, offset?: number): RefSlice }
  progress(progress: Progress): void
  log(level: LogLevel, message: Json): void
  /** Present if the rules grant them and the feature is available. */
  readonly fetch?: (url: string, init?: JsonObject) => Promise<JsonObject>
  readonly memory?: { search(query: string): Promise<Json>; store(memory: JsonObject): Promise<string> }
  readonly checkpoints?: { save(state: JsonObject): Promise<string>; restore(id: string): Promise<Json> }
}

/** The private context of each agent in a session, which the session's other agents must not see. */
export interface PrivateContext {
  /** Registers text as the caller's private context; the session's other agents see `[PRIVATE]` instead. */
  remember(call: Call, loaded: { readonly key?: string; readonly text: string }): void
  /** The text as `caller` (see `callerName`) may see it; if undefined, as a record may contain it. */
  mask(text: string, session: string, caller: string | undefined): Scrubbed
  /** The agents of a session that have private context. */
  holders(session: string): readonly { readonly agent: string; readonly instance?: string }[]
}

/** A caller, as far as it is known. */
export type Asker = Pick<Call, 'principal'> & Partial<Pick<Call, 'claims'>>

/** What a caller may use according to the rules, for filtering lists. */
export interface AccessPolicy {
  mayUse(call: Asker, target: RuleTarget): boolean
  /** Whether a caller may know that a server exists. */
  maySee(call: Asker, server: string): boolean
  /** The refusal for a caller without access. */
  refuse(call: Call, server: string): Refusal
}

/** A tool, prompt or resource of a server, as the rules name it. */
export interface RuleTarget {
  readonly method: 'tool' | 'prompt' | 'resource'
  readonly server: string
  /** Tool or prompt name, or resource address. */
  readonly tool: string
}

/** How long the user's approval lasts; `no` is remembered for the session. */
export const approvalAnswers = ['once', 'session', 'always', 'no'] as const
export type ApprovalAnswer = (typeof approvalAnswers)[number]

/** An approval that the user must give before the call can run. */
export interface ApprovalNeeded {
  /** A sentence for the caller. */
  readonly why: string
  /** The command with which the user approves in their own terminal. */
  readonly command: string
  /** The question to ask the user through the client; absent if approval is only possible in the terminal. */
  readonly question?: string
}

/** Asked before a tool runs. */
export interface Approvals {
  needed(call: Call): ApprovalNeeded | undefined
  /** Called when the user is asked through the client. */
  asked?(call: Call, needed: ApprovalNeeded): void
  /** Records the user's answer. Throws if it cannot be recorded. */
  answered(call: Call, needed: ApprovalNeeded, answer: ApprovalAnswer): void
}
