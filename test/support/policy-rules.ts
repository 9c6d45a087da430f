import { compilePolicy } from '../../src/stages/policy/compile-rules.ts'
import { evaluate, type PolicyDecision, type PolicyQuestion } from '../../src/stages/policy/evaluate.ts'
import type { RuleSet } from '../../src/stages/policy/rule-set.ts'
import type { AgentDocument, RulesDocument } from '../../src/stages/policy/rules-schema.ts'

export function rulesOf(document: RulesDocument, file = 'rules.json'): RuleSet {
  return compilePolicy({ text: JSON.stringify(document, null, 2), file })
}

/** Rules of one agent named `a`. */
export function agentRules(agent: AgentDocument, file?: string): RuleSet {
  return rulesOf({ agents: { a: agent } }, file)
}

/** The decision for agent `a`, attested; the question sets what it asks for. */
export function ask(
  rules: RuleSet,
  question: Partial<PolicyQuestion> & { server: string; tool: string },
): PolicyDecision {
  return evaluate(rules, { agent: 'a', level: 'attested', method: 'tool', ...question })
}
