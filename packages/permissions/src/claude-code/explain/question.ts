/** A question about a tool, and what speaks for one answer or another. */

import type { PermissionDecision, Ground } from '../../findings/explanation.ts'
import type { StartMode } from './session-mode.ts'

export interface PermissionQuestion {
  /** The name at runtime, with its argument where that matters: `Bash(npm test)`, `Read(./.env)`, `mcp__a__b`. */
  readonly tool: string
  /** A subagent; the main conversation unless given. */
  readonly agent?: string
  /** What the main conversation is started as (`--agent`); what the settings say unless given. */
  readonly runAs?: string
  /** What the client is started with (`--permission-mode`); what the settings say unless given. */
  readonly mode?: StartMode
  /** One that was run before: what it grants and forbids counts. */
  readonly skill?: string
  readonly cliAllow: readonly string[]
  readonly cliDeny: readonly string[]
}

/** Something that speaks for a decision; what it says goes on with why it won or lost. */
export interface GroundCandidate {
  readonly ground: Omit<Ground, 'why'>
  readonly says: string
}

/** What a question comes to, and all that speaks for it. */
export interface PermissionVerdict {
  readonly decision: PermissionDecision
  readonly candidates: readonly GroundCandidate[]
}
