import type { CallMethod, IdentityLevel } from '../../core/call.ts'
import type { MatchedRule } from '../../core/decision.ts'
import { evaluate } from './evaluate.ts'
import type { RuleSet } from './rule-set.ts'

export interface ExplainRequest {
  /** Id or alias. */
  readonly agent: string
  readonly server: string
  readonly tool: string
  /** The best level where absent. */
  readonly level?: IdentityLevel
  readonly method?: CallMethod
  /** The tool is open to every identified agent. */
  readonly open?: boolean
}

/** The answer of `ctxd rules explain --json`. `file` and `line` are null where the built-in rules decide. */
export interface Explanation {
  readonly decision: 'allow' | 'deny'
  readonly rule: string
  readonly file: string | null
  readonly line: number | null
  readonly matched: readonly MatchedRule[]
  readonly reason: string
  readonly justification?: string
}

export function explain(rules: RuleSet, request: ExplainRequest): Explanation {
  const { effect, rule, file, line, matched, reason, justification } = evaluate(rules, {
    level: 'attested',
    method: 'tool',
    ...request,
    agent: rules.resolveAgent(request.agent) ?? request.agent,
  })
  return {
    decision: effect,
    rule,
    file: file ?? null,
    line: line ?? null,
    matched,
    reason,
    ...(justification !== undefined && { justification }),
  }
}
