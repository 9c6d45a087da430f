/** What the policy said, with everything a person needs to understand it. */

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
  /** The rule that decided. */
  readonly rule: string
  readonly file?: string
  readonly line?: number
  readonly reason: string
  /** Every rule that matched, the deciding one first, in order of precedence. */
  readonly matched: readonly MatchedRule[]
  /** The rules file's own words on why, shown with a refusal. */
  readonly justification?: string
}
