/** A question about a tool, and the candidates for its answer. */

import type { PermissionDecision, Ground } from '../../findings/explanation.ts'
import type { StartMode } from './session-mode.ts'

export interface PermissionQuestion {
  /** The client's name of the tool, optionally with an argument: `Bash(npm test)`, `Read(./.env)`, `mcp__a__b`. */
  readonly tool: string
  /** A subagent; by default the main conversation. */
  readonly agent?: string
  /** The agent of the main conversation (`--agent`); by default taken from the settings. */
  readonly runAs?: string
  /** The mode the client is started in (`--permission-mode`); by default taken from the settings. */
  readonly mode?: StartMode
  /** A skill that ran before the call: its grants and denials apply. */
  readonly skill?: string
  readonly cliAllow: readonly string[]
  readonly cliDeny: readonly string[]
}

/** A ground for a decision. `says` is completed with why it decided or was overridden. */
export interface GroundCandidate {
  readonly ground: Omit<Ground, 'why'>
  readonly says: string
}

/** The decision on a question, with everything that supports it. */
export interface PermissionVerdict {
  readonly decision: PermissionDecision
  readonly candidates: readonly GroundCandidate[]
}
