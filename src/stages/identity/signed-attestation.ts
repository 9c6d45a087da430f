import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import { agentIdPattern } from '../../core/call.ts'
import { canonicalJson, isJsonObject, type JsonObject } from '../../core/json.ts'
import type { Clock } from '../../core/ports.ts'

/**
 * The argument in which a client's plugin says who is calling, for clients that give a server nothing to join a call
 * with: `v1.<base64url JSON>.<base64url HMAC-SHA-256>`. It is no argument of any tool, so the door takes it out.
 */
export const attestationArgument = 'contextd_attestation'

export interface SignedAttestation {
  readonly agent: string
  /** The client's own id of this one running subagent; the main thread has none. */
  readonly instance?: string
  /** The client's own session, which a subagent shares with whoever started it. */
  readonly session: string
}

export interface ExpectedAttestation {
  readonly key: Uint8Array
  readonly tool: string
  /** The arguments of the call without the attestation itself. */
  readonly arguments: JsonObject
  readonly now: number
  /** Takes a nonce; false for one that was taken before. */
  use(nonce: string, expires: number): boolean
}

/** Longer than a call needs to get here, far too short for one that lies about in a history. */
export const attestationLifetimeMs = 30_000

const maxLength = 2048
const format = /^v1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/
const idPattern = /^[A-Za-z0-9_-]{1,128}$/
const noncePattern = /^[A-Za-z0-9_-]{22}$/
const digestPattern = /^[A-Za-z0-9_-]{43}$/

/** What an attestation says once everything about it holds, else what does not. Problems quote nothing of it. */
export function verifySignedAttestation(
  text: unknown,
  expected: ExpectedAttestation,
): SignedAttestation | { readonly problem: string } {
  if (typeof text !== 'string' || text.length > maxLength) return { problem: 'it has another form' }
  const [, payload, signature] = format.exec(text) ?? []
  if (payload === undefined || signature === undefined) return { problem: 'it has another form' }
  const signed = createHmac('sha256', expected.key).update(`v1.${payload}`).digest('base64url')
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signed)))
    return { problem: 'its signature does not hold' }

  const said = readPayload(payload)
  if (said === undefined) return { problem: 'it says something else than it should' }
  if (said.tool !== nameAtClient(expected.tool)) return { problem: 'it was made for another tool' }
  if (said.args !== argumentsDigest(expected.arguments)) return { problem: 'it was made for other arguments' }
  if (said.expires <= expected.now) return { problem: 'it is too old' }
  if (said.expires > expected.now + attestationLifetimeMs) return { problem: 'it would be good for too long' }
  if (!expected.use(said.nonce, said.expires)) return { problem: 'it was used before' }
  const { agent, instance, session } = said
  return { agent, session, ...(instance !== undefined && { instance }) }
}

interface Payload extends SignedAttestation {
  readonly tool: string
  readonly args: string
  readonly expires: number
  readonly nonce: string
}

const fields = new Set(['agent', 'instance', 'session', 'tool', 'args', 'expires', 'nonce'])

function readPayload(encoded: string): Payload | undefined {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  } catch {
    return undefined
  }
  if (!isJsonObject(value) || Object.keys(value).some((name) => !fields.has(name))) return undefined
  const { agent, instance, session, tool, args, expires, nonce } = value
  const holds =
    matches(agent, agentIdPattern) &&
    (instance === undefined || matches(instance, idPattern)) &&
    matches(session, idPattern) &&
    matches(tool, idPattern) &&
    matches(args, digestPattern) &&
    Number.isSafeInteger(expires) &&
    matches(nonce, noncePattern)
  return holds ? (value as unknown as Payload) : undefined
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

function argumentsDigest(args: JsonObject): string {
  return createHash('sha256').update(canonicalJson(args)).digest('base64url')
}

/** OpenCode, whose plugin signs the names it sees, writes `_` for every character that a model could stumble over. */
function nameAtClient(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '_')
}

export interface NonceBook {
  /** True the first time; false for a nonce that was taken before, and while there is no room to remember it. */
  use(nonce: string, expires: number): boolean
}

/** Remembers nonces for as long as they could come again. */
export function createNonceBook(clock: Clock, room = 10_000): NonceBook {
  const taken = new Map<string, number>()
  return {
    use(nonce, expires) {
      if (taken.has(nonce)) return false
      if (taken.size >= room) {
        const now = clock()
        for (const [old, until] of taken) if (until <= now) taken.delete(old)
        if (taken.size >= room) return false
      }
      taken.set(nonce, expires)
      return true
    },
  }
}
