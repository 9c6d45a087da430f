/** Who a context is for. Pure. */

import { callerName, levelReaches, type Caller, type IdentityLevel } from '../../core/call.ts'

export interface Audience {
  /** Empty: whoever has the key. */
  readonly agents: readonly string[]
  readonly require: IdentityLevel
}

/** Whether this caller may have it, once it has shown the key. */
export function mayLoad({ agents, require }: Audience, caller: Caller): boolean {
  const level = levelOf(caller)
  if (level === undefined || !levelReaches(level, require)) return false
  return agents.length === 0 || namesOf(caller).some((name) => agents.includes(name))
}

/** Whether it is this caller's without a key: only where the client itself said who calls. */
export function isAssigned(audience: Audience, caller: Caller): boolean {
  return caller.claims.attested !== undefined && audience.agents.length > 0 && mayLoad(audience, caller)
}

function levelOf({ claims, principal }: Caller): IdentityLevel | undefined {
  return claims.attested === undefined ? principal?.level : 'attested'
}

/**
 * Under an attested name that the rules do not know, the principal is somebody else, such as `default`, and has nothing
 * to say here. Where they know it, the principal is the same agent in their words.
 */
function namesOf(caller: Caller): string[] {
  const { claims, principal } = caller
  const name = callerName(caller)
  if (claims.attested === undefined) return principal === undefined ? [] : [principal.agent]
  // The main thread that runs as an agent is not that agent, in whatever words.
  const isItself = name === claims.attested.agent && principal?.level === 'attested'
  return [name, ...(isItself ? [principal.agent] : [])]
}
