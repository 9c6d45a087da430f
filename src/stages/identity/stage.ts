import { OWN_SERVER, type Call } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import { refusal } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import { addNotes } from '../../core/trail.ts'
import { isUnnamed, resolveIdentity, type AgentDirectory } from './resolve-identity.ts'

/** Finds out who is calling and takes `agent_id` out of the arguments of our own tools: no tool sees it. */
export function identityStage(agents: () => AgentDirectory): Stage {
  return async (call, next) => {
    if (call.method === 'list' && call.claims.willAttest === true) return next(call)
    const { declared, rest } = splitDeclared(call)
    const found = resolveIdentity(call.claims, { argument: declared, meta: call.claims.declared }, agents())
    if ('code' in found) {
      // A client lists its tools before any of its agents had a chance to say who it is.
      if (call.method === 'list' && isUnnamed(found.code)) return next(call)
      return refusal(found.code, found.details)
    }
    call.trail.principal = found.principal
    const { attested } = call.claims
    if (attested !== undefined && found.principal.level !== 'attested') {
      addNotes(call.trail, [`attested as ${attested.agent}, a name the rules do not know`])
    }
    return next({ ...call, principal: found.principal, arguments: rest })
  }
}

function splitDeclared(call: Call): { declared: unknown; rest: JsonObject } {
  // An upstream tool may have an argument of the same name that means something else.
  if (call.server !== OWN_SERVER || !Object.hasOwn(call.arguments, 'agent_id')) {
    return { declared: undefined, rest: call.arguments }
  }
  const { agent_id: declared, ...rest } = call.arguments
  return { declared, rest }
}
