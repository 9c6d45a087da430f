/** What a rule of the linter says, and how it says it: the same for all clients. */

import type { Json } from '@contextd/shared/json/value'

/** From the worst to the mildest. */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

/** Lines and columns count from 1, columns in UTF-16 units. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

export function placeOf({ file, line, column }: Place): Place {
  return { file, line, column }
}

/** What a check found; the rule it belongs to says the rest. */
export interface FindingDetails extends Place {
  /** What happens today, in one sentence. */
  readonly message: string
  /** What the user does about it. */
  readonly fix: string
  /** How `--fix` does it; none where a user has to decide. */
  readonly repairs?: readonly Repair[]
  /** Where it is not that of the rule. */
  readonly severity?: Severity
  /** The client does not start with it: what its rules say decides nothing. */
  readonly stopsClient?: true
}

/**
 * A mistake in a file.
 *
 * @example
 * import type { LintFinding } from '@contextd/permissions'
 *
 * const isFixable = ({ repairs }: LintFinding) => repairs !== undefined
 */
export interface LintFinding extends FindingDetails {
  readonly rule: string
  readonly severity: Severity
}

/** By value, so that several on one file can follow each other; what need not change keeps its looks. */
export interface JsonRepair {
  readonly kind: 'json'
  readonly file: string
  readonly change: (document: Json) => Json
}

/** Offsets in UTF-16 units of the file as it was read. */
export interface TextRepair {
  readonly kind: 'text'
  readonly file: string
  readonly start: number
  readonly end: number
  readonly text: string
  /** What must stand there, where the text that was looked at is not kept. */
  readonly was?: string
}

export type Repair = JsonRepair | TextRepair

/** One thing that can be wrong. `title` and `why` stand on its documentation page, above the examples. */
export interface LintRule<Setup> {
  /** Words with dashes, such as `mcp-rule-parentheses`; also the name of its fixtures and of its page. */
  readonly id: string
  readonly severity: Severity
  readonly title: string
  /** Why it matters and what to do, as Markdown. */
  readonly why: string
  check(setup: Setup): Iterable<FindingDetails>
}
