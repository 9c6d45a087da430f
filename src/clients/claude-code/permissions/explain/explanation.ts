/** A question about a tool, and the answer with its grounds. */

import type { HookEntry, Mode, RuleEntry } from '../setup.ts'

export interface Question {
  /** The name at runtime, with its argument where that matters: `Bash(npm test)`, `Read(./.env)`, `mcp__a__b`. */
  readonly tool: string
  /** A subagent; the main conversation unless given. */
  readonly agent?: string
  /** What the main conversation is started as (`--agent`); what the settings say unless given. */
  readonly runAs?: string
  /** What the client is started with (`--permission-mode`); what the settings say unless given. */
  readonly mode?: Mode
  /** One that was run before: what it grants and forbids counts. */
  readonly skill?: string
  readonly cliAllow: readonly string[]
  readonly cliDeny: readonly string[]
}

/** `absent`: there is no such tool for who asks. */
export type Decision = 'allow' | 'ask' | 'deny' | 'absent'

/** What decided, or would have: a rule of a file or flag, an entry of an agent, or something the client does by itself. */
export interface Ground {
  /** Null for the client's own doing and for flags. */
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  /** As it is written; for the client's own doing, a name such as `default: reads inside the project`. */
  readonly rule: string
  readonly list?: RuleEntry['list']
  readonly source:
    | RuleEntry['level']
    | 'agent'
    | 'skill'
    | 'workspace'
    | 'mode'
    | 'server'
    | 'environment'
    | 'client'
  /** What it says of this tool, and why it won or lost, in one sentence. */
  readonly why: string
}

export interface Explanation {
  readonly tool: string
  readonly decision: Decision
  /** False where the model does not even see the tool. */
  readonly isListed: boolean
  readonly decidedBy: Ground
  /** What matched but lost, strongest first. */
  readonly lost: readonly Ground[]
  /** Rules that are about other arguments of the same tool. */
  readonly partial: readonly Ground[]
  /** Of what is asked about: skills that, once they run, let it through. */
  readonly granted: readonly Ground[]
  /** Who will be asked before the call; what they answer nobody knows beforehand. */
  readonly hooks: readonly HookEntry[]
}

/** Something that speaks for a decision; what it says goes on with why it won or lost. */
export interface Candidate {
  readonly ground: Omit<Ground, 'why'>
  readonly says: string
}
