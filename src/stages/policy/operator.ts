import { CONTROL_SERVER } from '../../core/call.ts'
import type { PolicyDecision, PolicyQuestion } from './evaluate.ts'
import type { AgentTerms } from './rule-set.ts'

/** What the calls of the person of this machine come with: no limits, and nothing of an agent's. */
export const operatorTerms: AgentTerms = {
  grants: [],
  args: new Map(),
  limits: {},
  limitPlaces: new Map(),
  serverLimits: { lookup: () => [], names: () => [] },
  memory: { read: [], write: [] },
  reveal: [],
}

/** The user may control contextd. For everything else they act as an agent of the rules, like anybody. */
export function judgeOperator({ server }: PolicyQuestion): PolicyDecision {
  const isAllowed = server === CONTROL_SERVER
  return {
    effect: isAllowed ? 'allow' : 'deny',
    rule: 'builtin.operator',
    reason: isAllowed ? 'the person of this machine steers contextd' : 'the person is no agent',
    matched: [],
  }
}
