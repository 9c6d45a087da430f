/** A policy decision, with everything a user needs to understand it. */

export interface MatchedRule {
  /** Path inside the rules file: `agents.frontend.deny.tools.postgres[0]`. */
  readonly path: string
  readonly effect: 'allow' | 'deny'
  readonly pattern: string
  readonly file?: string
  readonly line?: number
}

export interface Decision {
  readonly effect: 'allow' | 'deny'
  /** Path of the deciding rule. */
  readonly rule: string
  readonly file?: string
  readonly line?: number
  readonly reason: string
  /** Every rule that matched, the deciding one first, in order of precedence. */
  readonly matched: readonly MatchedRule[]
  /** The reason given in the rules file, shown with a refusal. */
  readonly justification?: string
}
