import type { Call, Principal } from '../../core/call.ts'
import type { Access } from '../../core/ports.ts'
import { evaluate, evaluateServer } from './evaluate.ts'
import { refuse, refuseByRule } from './refusals.ts'
import type { RuleSet } from './rule-set.ts'

/** What the rules say to those who make a list of what a caller may use. */
export function createAccess(rules: () => RuleSet): Access {
  const someone = (
    call: Pick<Call, 'principal'>,
    may: (inForce: RuleSet, principal: Principal) => boolean,
  ): boolean => {
    const inForce = rules()
    return principalsOf(call.principal, inForce).some((principal) => may(inForce, principal))
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
 * everyone the rules know, as sure as a name makes us, because whoever gives that name may use it.
 */
export function principalsOf(principal: Call['principal'], { agents }: RuleSet): readonly Principal[] {
  return principal === undefined
    ? Array.from(agents.keys(), (agent) => ({ agent, level: 'declared' }))
    : [principal]
}
