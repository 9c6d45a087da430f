import type { Principal } from '../../core/call.ts'
import type { AccessPolicy, Asker } from '../../core/ports.ts'
import { evaluate, evaluateServer } from './evaluate.ts'
import { refuse, refuseByRule } from './refusals.ts'
import type { RuleSet } from './rule-set.ts'

/** What the rules say to those who make a list of what a caller may use. */
export function createAccess(rules: () => RuleSet): AccessPolicy {
  const someone = (call: Asker, may: (inForce: RuleSet, principal: Principal) => boolean): boolean => {
    const inForce = rules()
    return principalsOf(call, inForce).some((principal) => may(inForce, principal))
  }
  return {
    mayUse: (call, target) =>
      someone(
        call,
        (inForce, who) =>
          evaluate(inForce, {
            agent: who.agent,
            level: who.level,
            method: target.method,
            server: target.server,
            tool: target.tool,
          }).effect === 'allow',
      ),
    maySee: (call, server) =>
      someone(call, (inForce, who) => evaluateServer(inForce, { ...who, server }).effect === 'allow'),
    refuse(call, server) {
      const { principal } = call
      if (principal === undefined) return refuse(call, 'IDENTITY_REQUIRED')
      return refuseByRule(
        { ...call, server, tool: '*' },
        principal,
        evaluateServer(rules(), { ...principal, server }),
      )
    },
  }
}

/**
 * Who a list is for. A client lists its tools before any of its agents had a chance to say who it is: then it is for
 * everyone the rules know, as sure as we can be of them: by a name they give, or by what the client will attest.
 */
export function principalsOf({ principal, claims }: Asker, { agents }: RuleSet): readonly Principal[] {
  if (principal !== undefined) return [principal]
  const level = claims?.willAttest === true ? 'attested' : 'declared'
  return Array.from(agents.keys(), (agent) => ({ agent, level }))
}
