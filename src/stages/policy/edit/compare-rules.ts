/** What a change of the rules changes for agents. Data in, data out. */

import type { CapabilityKind } from '../../../core/capability.ts'
import { formatCapability } from '../../../core/capability.ts'
import { explainRules } from '../explain.ts'
import type { RuleSet } from '../rule-set.ts'

/** A tool to compare the decisions about. */
export interface ComparedTool {
  readonly server: string
  readonly tool: string
  readonly open?: boolean
  readonly needs?: readonly CapabilityKind[]
}

export interface DecisionChange {
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly from: 'allow' | 'deny'
  readonly to: 'allow' | 'deny'
}

/** Capabilities, reveal rules and memories of an agent. */
export interface TermsChange {
  readonly agent: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export interface RulesComparison {
  readonly decisions: readonly DecisionChange[]
  readonly terms: readonly TermsChange[]
}

export function compareRules(
  before: RuleSet,
  after: RuleSet,
  tools: readonly ComparedTool[],
): RulesComparison {
  const agents = [...new Set([...before.agents.keys(), ...after.agents.keys()])]
  const decisions = agents.flatMap((agent) =>
    tools.flatMap(({ server, tool, ...needed }): DecisionChange[] => {
      const decide = (rules: RuleSet): 'allow' | 'deny' =>
        explainRules(rules, { agent, server, tool, ...needed }).decision
      const [from, to] = [decide(before), decide(after)]
      return from === to ? [] : [{ agent, server, tool, from, to }]
    }),
  )
  const terms = agents.flatMap((agent): TermsChange[] => {
    const [old, next] = [termsOf(before, agent), termsOf(after, agent)]
    const added = next.filter((term) => !old.includes(term))
    const removed = old.filter((term) => !next.includes(term))
    return added.length + removed.length === 0 ? [] : [{ agent, added, removed }]
  })
  return { decisions, terms }
}

function termsOf(rules: RuleSet, agent: string): string[] {
  const terms = rules.agents.get(rules.resolveAgent(agent) ?? agent)
  if (terms === undefined) return []
  const { grants, memory, reveal } = terms
  return [
    ...grants.map(
      (grant) => formatCapability(grant) + (grant.except ?? []).map((one) => ` but not ${one}`).join(''),
    ),
    ...reveal.map(
      ({ tool, argument, host }) =>
        `reveal ${tool}${argument === undefined ? '' : ` argument ${argument}`}${host === undefined ? '' : ` to ${host}`}`,
    ),
    ...(['read', 'write'] as const).flatMap((use) => memory[use].map((scope) => `${use} ${scope} memory`)),
  ]
}
