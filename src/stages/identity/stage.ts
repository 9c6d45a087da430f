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
 * Finds out who is calling, and takes `agent_id` and `branch_id` out of the arguments of our own tools: they say something
 * about the call, and no tool sees them.
 */
export function identityStage(agents: () => AgentDirectory): Stage {
  return async (call, next) => {
    if (call.method === 'list' && call.claims.willAttest === true) return next(call)
    if (isSteering(call)) {
      call.trail.principal = operator
      return next({ ...call, principal: operator })
    }
    if (call.method === 'model' && call.claims.isUnknown === true) {
      addNotes(call.trail, ['a running agent of the client that nobody attested'])
      return next(call)
    }
    const { declared, claims, rest } = splitClaims(call)
    const found = resolveIdentity(call.claims, { argument: declared, meta: call.claims.declared }, agents())
    if ('code' in found) {
      // A client lists its tools before any of its agents had a chance to say who it is.
      if (call.method === 'list' && isUnnamed(found.code)) return next(call)
      // A client must reach its model, also one whose agents no rule knows: such a caller has no rights of its own.
      if (call.method === 'model') return next(call)
      return refusal(found.code, found.details)
    }
    call.trail.principal = found.principal
    const { attested } = call.claims
    if (attested !== undefined && found.principal.level !== 'attested') {
      addNotes(call.trail, [`attested as ${attested.agent}, a name the rules do not know`])
    }
    return next({ ...call, claims, principal: found.principal, arguments: rest })
  }
}

const operator: Principal = { agent: OPERATOR, level: 'token' }

/** Whoever names an agent is that agent, and what it may do is decided by the rules. */
function isSteering({ server, claims }: Call): boolean {
  const { attested, refused, token, declared } = claims
  const isAgent = [attested, refused, token, declared].some((claim) => claim !== undefined)
  return server === CONTROL_SERVER && claims.operator === true && !isAgent
}

function splitClaims(call: Call): { declared: unknown; claims: Claims; rest: JsonObject } {
  const { server, claims, arguments: args } = call
  const isClaimed = Object.hasOwn(args, 'agent_id') || Object.hasOwn(args, 'branch_id')
  // An upstream tool may have an argument of the same name that means something else.
  if (server !== OWN_SERVER || !isClaimed) return { declared: undefined, claims, rest: args }
  const { agent_id: declared, branch_id: branch, ...rest } = args
  // What is no text is the id of no branch either.
  const named = branch === undefined ? {} : { branch: typeof branch === 'string' ? branch : '' }
  return { declared, claims: { ...claims, ...named }, rest }
}
