/** What the headers and the body of a request to a model say of it. Pure. */

import type { IncomingHttpHeaders } from 'node:http'

import { MAIN_AGENT, type Claims } from '../core/call.ts'
import { callerHeader, type SignedCaller } from '../stages/identity/signed-caller.ts'
import type { Problem } from '../stages/identity/signed-payload.ts'

export interface ModelCaller {
  /** The client's own session, where it says. */
  readonly clientSession?: string
  /** The client's own id of a running agent; the main thread has none. */
  readonly instance?: string
  /** Who our plugin for OpenCode says it is, or what is wrong with that. */
  readonly signed?: SignedCaller | Problem
}

/** Longer ids are nobody's. */
const maxIdLength = 256

export function readCaller(
  headers: IncomingHttpHeaders,
  verify: (signed: unknown) => SignedCaller | Problem,
): ModelCaller {
  if (headers[callerHeader] !== undefined) {
    const signed = verify(headers[callerHeader])
    return { signed, ...('session' in signed && { clientSession: signed.session }) }
  }
  const said = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' && value.length <= maxIdLength ? value : undefined
  }
  const clientSession = said('x-claude-code-session-id')
  const instance = said('x-claude-code-agent-id')
  return {
    ...(clientSession !== undefined && { clientSession }),
    ...(instance !== undefined && { instance }),
  }
}

/**
 * `agentOf` knows which agent a running one was attested to be; the main thread is the empty instance. `client` is the one
 * that the key was made for.
 */
export function claimsOf(
  { instance, signed }: ModelCaller,
  client: string,
  agentOf: (instance: string) => string | undefined,
): Pick<Claims, 'attested' | 'isUnknown' | 'refused'> {
  if (signed !== undefined) return claimsOfSigned(signed)
  // Its plugin signs what belongs to a session. The rest, such as the making of a new agent, belongs to nobody.
  if (client === 'opencode') return { isUnknown: true }
  if (instance === undefined) return { attested: { agent: agentOf('') ?? MAIN_AGENT } }
  const attested = agentOf(instance)
  return attested === undefined ? { isUnknown: true } : { attested: { agent: attested, instance } }
}

function claimsOfSigned(signed: SignedCaller | Problem): Pick<Claims, 'attested' | 'isUnknown' | 'refused'> {
  if ('problem' in signed) return { refused: { code: 'ATTESTATION_FORGED', problem: signed.problem } }
  const { agent, instance } = signed
  if (agent === undefined) return { isUnknown: true }
  return { attested: { agent, ...(instance !== undefined && { instance }) } }
}

/** `model` and `stream` of a JSON object, without reading what is in its other members. */
export function readHead(body: string): { model?: string; stream?: boolean } {
  const found = topLevel(body, new Set(['model', 'stream']))
  return {
    ...(typeof found.model === 'string' && { model: found.model }),
    ...(typeof found.stream === 'boolean' && { stream: found.stream }),
  }
}

const space = new Set([' ', '\n', '\r', '\t'])

function topLevel(text: string, names: ReadonlySet<string>): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  let depth = 0
  let key: string | undefined
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    else if (character === ',' && depth === 1) key = undefined
    else if (character === '"') {
      const end = endOfString(text, at)
      if (end === -1) return found
      const literal = depth === 1 && end - at <= maxIdLength ? text.slice(at, end + 1) : undefined
      if (literal !== undefined && key === undefined) key = literal.slice(1, -1)
      else if (literal !== undefined && key !== undefined && names.has(key)) found[key] = parsed(literal)
      at = end
    } else if (
      depth === 1 &&
      key !== undefined &&
      names.has(key) &&
      !space.has(character) &&
      character !== ':'
    ) {
      const scalar = /^[a-z]{4,5}/.exec(text.slice(at, at + 5))?.[0] ?? ''
      if (scalar === 'true' || scalar === 'false') found[key] = scalar === 'true'
      key = ''
    }
  }
  return found
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return -1
}

function parsed(literal: string): unknown {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}
