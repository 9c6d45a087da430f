import type { CallMethod, IdentityLevel } from '../../core/call.ts'
import type { CapabilityKind } from '../../core/capability.ts'
import type { MatchedRule } from '../../core/decision.ts'
import { evaluate, missingCapability } from './evaluate.ts'
import type { RuleSet } from './rule-set.ts'

export interface ExplainRequest {
  /** Id or alias. */
  readonly agent: string
  readonly server: string
  readonly tool: string
  /** Default: the best level. */
  readonly level?: IdentityLevel
  readonly method?: CallMethod
  /** The tool is open to every identified agent. */
  readonly open?: boolean
  /** The capabilities that the caller of the tool needs. */
  readonly needs?: readonly CapabilityKind[]
}

/** The output of `ctxd rules explain --json`. `file` and `line` are null for built-in rules. */
export interface RuleExplanation {
  readonly decision: 'allow' | 'deny'
  readonly rule: string
  readonly file: string | null
  readonly line: number | null
  readonly matched: readonly MatchedRule[]
  readonly reason: string
  readonly justification?: string
}

export function explainRules(rules: RuleSet, { needs = [], ...request }: ExplainRequest): RuleExplanation {
  const agent = rules.resolveAgent(request.agent) ?? request.agent
  const decision = evaluate(rules, { level: 'attested', method: 'tool', ...request, agent })
  const { effect, rule, file, line, matched, reason, justification } = decision
  const missing = effect === 'allow' ? missingCapability(rules, agent, needs) : undefined
  if (missing !== undefined) {
    const { kind, place } = missing
    return {
      decision: 'deny',
      rule: place.path,
      file: place.file ?? null,
      line: place.line ?? null,
      matched,
      reason: `the tool needs the capability ${kind}, which the agent is not granted`,
    }
  }
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
