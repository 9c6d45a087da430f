/** Lint rules and their findings, in the same form for all clients. */

import type { Json } from '@contextd/shared/json/value'

/** In descending order. */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

/** Lines and columns start at 1; columns are in UTF-16 code units. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

export function placeOf({ file, line, column }: Place): Place {
  return { file, line, column }
}

/** The part of a finding that its check provides; the rest comes from the rule. */
export interface FindingDetails extends Place {
  /** What happens now, in one sentence. */
  readonly message: string
  /** What the user should do. */
  readonly fix: string
  /** What `--fix` does; none if the user has to decide. */
  readonly repairs?: readonly Repair[]
  /** Overrides the severity of the rule. */
  readonly severity?: Severity
  /** The client refuses to start because of it, so its rules are irrelevant. */
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

/** Changes the parsed value, so that several repairs of a file can be combined; unchanged parts keep their formatting. */
export interface JsonRepair {
  readonly kind: 'json'
  readonly file: string
  readonly change: (document: Json) => Json
}

/** Offsets are in UTF-16 code units of the file as it was read. */
export interface TextRepair {
  readonly kind: 'text'
  readonly file: string
  readonly start: number
  readonly end: number
  readonly text: string
  /** The text that must be in this range, for files whose text is not stored. */
  readonly was?: string
}

export type Repair = JsonRepair | TextRepair

/** `title` and `why` are on the rule's documentation page, above the examples. */
export interface LintRule<Setup> {
  /** In kebab case, such as `mcp-rule-parentheses`; also the name of its fixtures and of its page. */
  readonly id: string
  readonly severity: Severity
  readonly title: string
  /** Why it matters and what to do, as Markdown. */
  readonly why: string
  check(setup: Setup): Iterable<FindingDetails>
}
