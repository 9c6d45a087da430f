import type { Principal } from '../../core/call.ts'
import type { AccessPolicy, Asker } from '../../core/ports.ts'
import { evaluate, evaluateServer } from './evaluate.ts'
import { refuse, refuseByRule } from './refusals.ts'
import type { RuleSet } from './rule-set.ts'

/** What the rules allow, for filtering lists. */
export function createAccess(rules: () => RuleSet): AccessPolicy {
  const anyPrincipal = (call: Asker, may: (current: RuleSet, principal: Principal) => boolean): boolean => {
    const current = rules()
    return principalsOf(call, current).some((principal) => may(current, principal))
  }
  return {
    mayUse: (call, target) =>
      anyPrincipal(
        call,
        (current, principal) =>
          evaluate(current, {
            agent: principal.agent,
            level: principal.level,
            method: target.method,
            server: target.server,
            tool: target.tool,
          }).effect === 'allow',
      ),
    maySee: (call, server) =>
      anyPrincipal(
        call,
        (current, principal) => evaluateServer(current, { ...principal, server }).effect === 'allow',
      ),
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
 * The principals that a list is for. A client lists its tools before any of its agents can identify itself: the list
 * is then for all agents in the rules, at the best level they could have: declared, or attested if the client attests
 * calls.
 */
export function principalsOf({ principal, claims }: Asker, { agents }: RuleSet): readonly Principal[] {
  if (principal !== undefined) return [principal]
  const level = claims?.willAttest === true ? 'attested' : 'declared'
  return Array.from(agents.keys(), (agent) => ({ agent, level }))
}
