/** The answer to a question about a tool, with its grounds: the same for all clients. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { Place } from './finding.ts'

/** `absent`: there is no such tool for who asks. */
export type PermissionDecision = 'allow' | 'ask' | 'deny' | 'absent'

/** What decided, or would have: a rule of a file or flag, an entry of an agent, or something the client does by itself. */
export interface Ground {
  /** Null for the client's own doing and for flags. */
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  /** As it is written; for the client's own doing, a name such as `default: reads inside the project`. */
  readonly rule: string
  readonly list?: Exclude<PermissionDecision, 'absent'>
  readonly source:
    | 'managed'
    | 'cli'
    | 'local'
    | 'project'
    | 'user'
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

/** Of what stands in no file. */
export const nowhere = { file: null, line: null, column: null } as const

/** How a rule of each list begins to say what it does. */
export const verbs = { allow: 'Allows', ask: 'Asks about', deny: 'Denies' } as const

/**
 * The decision about a tool call, with its grounds.
 *
 * @example
 * import type { PermissionExplanation } from '@contextd/permissions'
 *
 * const reason = ({ decision, decidedBy }: PermissionExplanation) => `${decision}: ${decidedBy.why}`
 */
export interface PermissionExplanation {
  readonly tool: string
  readonly decision: PermissionDecision
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
  readonly hooks: readonly ExplainedHook[]
}

/** What a client runs before a call. */
export interface ExplainedHook extends Place {
  readonly event: string
  readonly matcher?: string
  readonly source: Ground['source'] | 'plugin'
  /** The plugin's, agent's or skill's name; those of a skill are asked from when it has run. */
  readonly owner?: string
  readonly hook: JsonObject
}

/** What a tool is called at runtime, where a user named it otherwise. */
export interface RuntimeName {
  /** With the argument that was asked about: `Bash(npm test)`, `mcp__plugin_context7_context7__query-docs`. */
  readonly name: string
  /** How it was found out, in one sentence. */
  readonly because: string
}

export interface RuntimeNames {
  /** More than one where the setup has several that fit; none where nothing does. */
  readonly names: readonly RuntimeName[]
  /** What may have been meant, where nothing fits. */
  readonly suggestions: readonly string[]
}
