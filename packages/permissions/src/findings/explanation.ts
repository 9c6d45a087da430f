/** Explanation of a permission decision, in the same form for all clients. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { Place } from './finding.ts'

/** `absent`: the agent has no such tool. */
export type PermissionDecision = 'allow' | 'ask' | 'deny' | 'absent'

/** Something that decided, or was overridden: a rule of a file or flag, an entry of an agent, or a default of the client. */
export interface Ground {
  /** Null for defaults of the client and for flags. */
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  /** As written; for a default of the client, a name such as `default: reads inside the project`. */
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
  /** Its effect on this tool, and why it decided or was overridden, in one sentence. */
  readonly why: string
}

/** The place of grounds that are not in a file. */
export const nowhere = { file: null, line: null, column: null } as const

/** Verbs that start the explanation of a rule, by list. */
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
  /** False if the model does not even see the tool. */
  readonly isListed: boolean
  readonly decidedBy: Ground
  /** Matching but overridden grounds, highest precedence first. */
  readonly lost: readonly Ground[]
  /** Rules for other arguments of the same tool. */
  readonly partial: readonly Ground[]
  /** If the decision is to ask: skills that allow the call once they run. */
  readonly granted: readonly Ground[]
  /** Hooks that run before the call; their answers are not known in advance. */
  readonly hooks: readonly ExplainedHook[]
}

/** A hook that a client runs before a call. */
export interface ExplainedHook extends Place {
  readonly event: string
  readonly matcher?: string
  readonly source: Ground['source'] | 'plugin'
  /** Name of the plugin, agent or skill; hooks of a skill run once the skill has run. */
  readonly owner?: string
  readonly hook: JsonObject
}

/** The runtime name of a tool that the user specified in another form. */
export interface RuntimeName {
  /** With its argument, if any: `Bash(npm test)`, `mcp__plugin_context7_context7__query-docs`. */
  readonly name: string
  /** How the name was resolved, in one sentence. */
  readonly because: string
}

export interface RuntimeNames {
  /** All matches; empty if nothing matches. */
  readonly names: readonly RuntimeName[]
  /** Similar names, if nothing matches. */
  readonly suggestions: readonly string[]
}
