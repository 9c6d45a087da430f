/** Decides who may load a context. Pure. */

import { callerName, levelReaches, type Caller, type IdentityLevel } from '../../core/call.ts'

export interface Audience {
  /** Empty: anyone with the key. */
  readonly agents: readonly string[]
  readonly require: IdentityLevel
}

/** Whether a caller that has presented the key may load it. */
export function mayLoad({ agents, require }: Audience, caller: Caller): boolean {
  const level = levelOf(caller)
  if (level === undefined || !levelReaches(level, require)) return false
  return agents.length === 0 || namesOf(caller).some((name) => agents.includes(name))
}

/** Whether the caller may load it without a key: only if the client attested the caller. */
export function isAssigned(audience: Audience, caller: Caller): boolean {
  return caller.claims.attested !== undefined && audience.agents.length > 0 && mayLoad(audience, caller)
}

function levelOf({ claims, principal }: Caller): IdentityLevel | undefined {
  return claims.attested === undefined ? principal?.level : 'attested'
}

/**
 * If the rules do not know the attested name, the principal is another agent, such as `default`, and its name does not
 * apply. If they know it, the principal is the same agent under its name in the rules.
 */
function namesOf(caller: Caller): string[] {
  const { claims, principal } = caller
  const name = callerName(caller)
  if (claims.attested === undefined) return principal === undefined ? [] : [principal.agent]
  // A main thread that runs as an agent is not that agent, under any name.
  const isItself = name === claims.attested.agent && principal?.level === 'attested'
  return [name, ...(isItself ? [principal.agent] : [])]
}
