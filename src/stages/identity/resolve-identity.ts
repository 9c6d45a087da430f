import { agentIdPattern, type Claims, type Principal } from '../../core/call.ts'
import type { ErrorCode, ErrorDetails } from '../../core/errors/errors.ts'

/** The part of the rules that identity resolution needs. */
export interface AgentDirectory {
  /** The id of an agent by one of its names; undefined if the name is not in the rules. */
  resolveAgent(name: string): string | undefined
  readonly denyOnMissing: boolean
}

/** `agent_id` and `_meta` come directly from the client and may be any JSON value. */
export interface Declared {
  readonly argument?: unknown
  readonly meta?: unknown
}

export type Identified =
  | { readonly principal: Principal }
  | { readonly code: ErrorCode; readonly details?: ErrorDetails }

/**
 * Identifies the caller by the strongest available proof: attested, token, declared, environment, default.
 *
 * Two things never happen: an unknown declared name falling back to another agent, and a weaker claim contradicting a
 * stronger one without a refusal.
 */
export function resolveIdentity(claims: Claims, declared: Declared, agents: AgentDirectory): Identified {
  if (claims.refused !== undefined) {
    const { code, problem } = claims.refused
    return { code, details: { problem } }
  }
  const named = resolveDeclared(declared, agents)
  if ('code' in named) return named

  if (claims.attested !== undefined) {
    const { agent: name, instance } = claims.attested
    const agent = agents.resolveAgent(name)
    if (named.agent !== undefined && named.agent !== agent) return conflict('attestation')
    if (agent !== undefined) {
      if (claims.token !== undefined && agents.resolveAgent(claims.token.agent) !== agent)
        return conflict('token')
      return { principal: { agent, level: 'attested', ...(instance !== undefined && { instance }) } }
    }
    // A client may run agents that the rules do not mention; they count as unnamed.
    const found = fallback(claims, agents)
    if ('code' in found)
      return isUnnamed(found.code) ? { ...found, details: { hint: unknownName(name) } } : found
    return instance === undefined ? found : { principal: { ...found.principal, instance } }
  }

  if (claims.token !== undefined) {
    const agent = agents.resolveAgent(claims.token.agent)
    if (agent === undefined) return { code: 'INVALID_AGENT_ID', details: { source: 'token' } }
    if (named.agent !== undefined && named.agent !== agent) return conflict('token')
    return { principal: { agent, level: 'token' } }
  }

  if (named.agent !== undefined) return { principal: { agent: named.agent, level: 'declared' } }
  return fallback(claims, agents)
}

function resolveDeclared(
  declared: Declared,
  agents: AgentDirectory,
): { readonly agent: string | undefined } | { readonly code: ErrorCode; readonly details?: ErrorDetails } {
  let agent: string | undefined
  for (const name of [declared.argument, declared.meta]) {
    if (name === undefined) continue
    const found =
      typeof name === 'string' && agentIdPattern.test(name) ? agents.resolveAgent(name) : undefined
    if (found === undefined) return { code: 'INVALID_AGENT_ID' }
    if (agent !== undefined && agent !== found) return conflict('_meta')
    agent = found
  }
  return { agent }
}

function fallback(claims: Claims, agents: AgentDirectory): Identified {
  if (agents.denyOnMissing) return { code: 'IDENTITY_REQUIRED' }
  if (claims.environment !== undefined && claims.environment !== '') {
    const agent = agents.resolveAgent(claims.environment)
    if (agent === undefined) {
      return { code: 'FALLBACK_AGENT_NOT_IN_RULES', details: { source: 'the environment' } }
    }
    return { principal: { agent, level: 'environment' } }
  }
  const agent = agents.resolveAgent('default')
  return agent === undefined ? { code: 'NO_FALLBACK_CONFIGURED' } : { principal: { agent, level: 'default' } }
}

/** True if the caller is not identified as an agent of the rules. */
export function isUnnamed(code: ErrorCode): boolean {
  return code === 'IDENTITY_REQUIRED' || code === 'NO_FALLBACK_CONFIGURED'
}

/** The catalogue's hint is for callers that could provide more; this one already attested all it can. */
function unknownName(name: string): string {
  const subject = agentIdPattern.test(name)
    ? `The client says this is ${name}, which`
    : 'The name the client gives'
  return `${subject} is not in the rules. The user can add it there under "agents", or as an alias of another.`
}

function conflict(source: string): { code: ErrorCode; details: ErrorDetails } {
  return { code: 'IDENTITY_CONFLICT', details: { source } }
}
