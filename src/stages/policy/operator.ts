import { CONTROL_SERVER } from '../../core/call.ts'
import type { PolicyDecision, PolicyQuestion } from './evaluate.ts'
import type { AgentTerms } from './rule-set.ts'

/** The terms of the operator's calls: no limits, and no grants of an agent. */
export const operatorTerms: AgentTerms = {
  grants: [],
  args: new Map(),
  limits: {},
  limitPlaces: new Map(),
  serverLimits: { lookup: () => [], names: () => [] },
  memory: { read: [], write: [] },
  reveal: [],
}

/** The operator may control contextd. For everything else, they need to act as an agent in the rules. */
export function judgeOperator({ server }: PolicyQuestion): PolicyDecision {
  const isAllowed = server === CONTROL_SERVER
  return {
    effect: isAllowed ? 'allow' : 'deny',
    rule: 'builtin.operator',
    reason: isAllowed ? 'the operator controls contextd' : 'the operator is not an agent',
    matched: [],
  }
}
