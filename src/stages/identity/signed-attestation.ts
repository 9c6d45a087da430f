import { createHash } from 'node:crypto'

import { agentIdPattern } from '../../core/call.ts'
import { canonicalJson, type JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import {
  idPattern,
  isMatch,
  lifetimeProblem,
  openSigned,
  unexpectedPayload,
  type Problem,
} from './signed-payload.ts'

/**
 * The argument in which a client's plugin identifies the caller, for clients that give a server nothing to correlate
 * a call with: `v1.<base64url JSON>.<base64url HMAC-SHA-256>`. It is not an argument of any tool, so the door removes
 * it.
 */
export const attestationArgument = 'contextd_attestation'

export interface SignedAttestation {
  readonly agent: string
  /** The client's own id of the running subagent; the main thread has none. */
  readonly instance?: string
  /** The client's own session, which a subagent shares with its parent. */
  readonly session: string
}

export interface ExpectedAttestation {
  readonly key: Uint8Array
  readonly tool: string
  /** The arguments of the call, excluding the attestation itself. */
  readonly arguments: JsonObject
  readonly now: number
  /** Consumes a nonce; false if it was used before. */
  use(nonce: string, expires: number): boolean
}

const noncePattern = /^[A-Za-z0-9_-]{22}$/
const digestPattern = /^[A-Za-z0-9_-]{43}$/

/** The content of a valid attestation, or what is wrong with it. Problems quote nothing from it. */
export function verifySignedAttestation(
  text: unknown,
  expected: ExpectedAttestation,
): SignedAttestation | Problem {
  const opened = openSigned(text, expected.key)
  if ('problem' in opened) return opened
  const payload = readPayload(opened.payload)
  if (payload === undefined) return unexpectedPayload
  if (payload.tool !== nameAtClient(expected.tool)) return { problem: 'it was made for another tool' }
  if (payload.args !== argumentsDigest(expected.arguments))
    return { problem: 'it was made for other arguments' }
  const expired = lifetimeProblem(payload.expires, expected.now)
  if (expired !== undefined) return expired
  if (!expected.use(payload.nonce, payload.expires)) return { problem: 'it was used before' }
  const { agent, instance, session } = payload
  return { agent, session, ...(instance !== undefined && { instance }) }
}

interface Payload extends SignedAttestation {
  readonly tool: string
  readonly args: string
  readonly expires: number
  readonly nonce: string
}

const fields = new Set(['agent', 'instance', 'session', 'tool', 'args', 'expires', 'nonce'])

function readPayload(value: JsonObject): Payload | undefined {
  if (Object.keys(value).some((name) => !fields.has(name))) return undefined
  const { agent, instance, session, tool, args, expires, nonce } = value
  const isValid =
    isMatch(agent, agentIdPattern) &&
    (instance === undefined || isMatch(instance, idPattern)) &&
    isMatch(session, idPattern) &&
    isMatch(tool, idPattern) &&
    isMatch(args, digestPattern) &&
    Number.isSafeInteger(expires) &&
    isMatch(nonce, noncePattern)
  return isValid ? (value as unknown as Payload) : undefined
}

function argumentsDigest(args: JsonObject): string {
  return createHash('sha256').update(canonicalJson(args)).digest('base64url')
}

/** OpenCode's plugin signs the names it sees, in which OpenCode replaces special characters by `_`. */
function nameAtClient(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '_')
}

export interface NonceBook {
  /** True the first time; false for a used nonce, and while there is no room to remember it. */
  use(nonce: string, expires: number): boolean
}

/** Remembers nonces until their attestations expire. */
export function createNonceBook(clock: Clock, maxNonces = 10_000): NonceBook {
  const used = new Map<string, number>()
  return {
    use(nonce, expires) {
      if (used.has(nonce)) return false
      if (used.size >= maxNonces) {
        const now = clock()
        for (const [old, until] of used) if (until <= now) used.delete(old)
        if (used.size >= maxNonces) return false
      }
      used.set(nonce, expires)
      return true
    },
  }
}
