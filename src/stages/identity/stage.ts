import {
  CONTROL_SERVER,
  OPERATOR,
  OWN_SERVER,
  type Call,
  type Claims,
  type Principal,
} from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { refusal } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import { addNotes } from '../../core/trail.ts'
import { isUnnamed, resolveIdentity, type AgentDirectory } from './resolve-identity.ts'

/**
 * Identifies the caller, and removes `agent_id` and `branch_id` from the arguments of our own tools: they describe
 * the call, and tools never see them.
 */
export function identityStage(agents: () => AgentDirectory): Stage {
  return async (call, next) => {
    if (call.method === 'list' && call.claims.willAttest === true) return next(call)
    if (isControlCall(call)) {
      call.trail.principal = operator
      return next({ ...call, principal: operator })
    }
    if (call.method === 'model' && call.claims.isUnknown === true) {
      addNotes(call.trail, ['an unattested agent of the client'])
      return next(call)
    }
    const { declared, claims, rest } = splitClaims(call)
    const identity = resolveIdentity(
      call.claims,
      { argument: declared, meta: call.claims.declared },
      agents(),
    )
    if ('code' in identity) {
      // A client lists its tools before any of its agents can identify itself.
      if (call.method === 'list' && isUnnamed(identity.code)) return next(call)
      // A client must reach its model even if its agents are not in the rules: such a caller has no grants.
      if (call.method === 'model') return next(call)
      return refusal(identity.code, identity.details)
    }
    call.trail.principal = identity.principal
    const { attested } = call.claims
    if (attested !== undefined && identity.principal.level !== 'attested') {
      addNotes(call.trail, [`attested as ${attested.agent}, which is not in the rules`])
    }
    return next({ ...call, claims, principal: identity.principal, arguments: rest })
  }
}

const operator: Principal = { agent: OPERATOR, level: 'token' }

/** A caller that names an agent is treated as that agent, whose permissions the rules decide. */
function isControlCall({ server, claims }: Call): boolean {
  const { attested, refused, token, declared } = claims
  const isAgent = [attested, refused, token, declared].some((claim) => claim !== undefined)
  return server === CONTROL_SERVER && claims.operator === true && !isAgent
}

function splitClaims(call: Call): { declared: unknown; claims: Claims; rest: JsonObject } {
  const { server, claims, arguments: args } = call
  const isClaimed = Object.hasOwn(args, 'agent_id') || Object.hasOwn(args, 'branch_id')
  // An upstream tool may have an argument with the same name and a different meaning.
  if (server !== OWN_SERVER || !isClaimed) return { declared: undefined, claims, rest: args }
  const { agent_id: declared, branch_id: branch, ...rest } = args
  // Anything but a string is not a branch id either.
  const named = branch === undefined ? {} : { branch: typeof branch === 'string' ? branch : '' }
  return { declared, claims: { ...claims, ...named }, rest }
}
