import { levelReaches, type Principal } from '../../core/call.ts'
import type { AgentTerms, RuleSet } from './rule-set.ts'

/**
 * An agent's terms for model requests. Limits for calls are meant for tools: only those that name the server `model`
 * apply here. Grants apply if the agent's identity level is as high as its rules require.
 */
export function modelTerms(rules: RuleSet, { agent, level }: Principal, terms: AgentTerms): AgentTerms {
  const isSufficient = rules.layers.every(({ names, agents }) => {
    const required = agents.get(names.get(agent) ?? '')?.require
    return required === undefined || levelReaches(level, required.level)
  })
  return {
    ...terms,
    grants: isSufficient ? terms.grants : [],
    limits: {},
    serverLimits: {
      lookup: (name) => terms.serverLimits.lookup(name).filter(({ server }) => server === name),
      names: terms.serverLimits.names,
    },
  }
}
