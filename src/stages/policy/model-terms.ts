import { levelReaches, type Principal } from '../../core/call.ts'
import type { AgentTerms, RuleSet } from './rule-set.ts'

/**
 * The terms of an agent for requests to a model. Limits for calls are meant for tools: here only those apply that name the
 * server `model` itself. Grants apply where we are as sure of the agent as its rules demand.
 */
export function modelTerms(rules: RuleSet, { agent, level }: Principal, terms: AgentTerms): AgentTerms {
  const isSure = rules.layers.every(({ names, agents }) => {
    const demanded = agents.get(names.get(agent) ?? '')?.require
    return demanded === undefined || levelReaches(level, demanded.level)
  })
  return {
    ...terms,
    grants: isSure ? terms.grants : [],
    limits: {},
    serverLimits: {
      lookup: (name) => terms.serverLimits.lookup(name).filter(({ server }) => server === name),
      names: terms.serverLimits.names,
    },
  }
}
