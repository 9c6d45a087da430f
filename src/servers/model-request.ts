/** What the headers and the body of a request to a model say of it. Pure. */

import type { IncomingHttpHeaders } from 'node:http'

import { agentIdPattern, MAIN_AGENT, type Claims } from '../core/call.ts'

export interface ModelCaller {
  /** The client's own session, where it says. */
  readonly clientSession?: string
  /** The client's own id of a running agent; the main thread has none. */
  readonly instance?: string
  /** What our plugin calls the main thread. */
  readonly agent?: string
}

/** Longer ids are nobody's. */
const maxIdLength = 256

export function readCaller(headers: IncomingHttpHeaders): ModelCaller {
  const said = (...names: string[]): string | undefined => {
    const value = names.map((name) => headers[name]).find((one) => typeof one === 'string' && one !== '')
    return typeof value === 'string' && value.length <= maxIdLength ? value : undefined
  }
  const clientSession = said('x-contextd-session', 'x-claude-code-session-id')
  const instance = said('x-contextd-instance', 'x-claude-code-agent-id')
  const agent = said('x-contextd-agent')
  return {
    ...(clientSession !== undefined && { clientSession }),
    ...(instance !== undefined && { instance }),
    ...(agent !== undefined && agentIdPattern.test(agent) && { agent }),
  }
}

/** `agentOf` knows which agent a running one was attested to be; the main thread is the empty instance. */
export function claimsOf(
  { instance, agent }: ModelCaller,
  agentOf: (instance: string) => string | undefined,
): Pick<Claims, 'attested' | 'isUnknown'> {
  if (instance === undefined) return { attested: { agent: agentOf('') ?? agent ?? MAIN_AGENT } }
  const attested = agentOf(instance)
  return attested === undefined ? { isUnknown: true } : { attested: { agent: attested, instance } }
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
