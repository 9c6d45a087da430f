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

const noncePattern = /^[A-Za-z0-9_-]{22}$/
const digestPattern = /^[A-Za-z0-9_-]{43}$/

/** What an attestation says once everything about it holds, else what does not. Problems quote nothing of it. */
export function verifySignedAttestation(
  text: unknown,
  expected: ExpectedAttestation,
): SignedAttestation | Problem {
  const opened = openSigned(text, expected.key)
  if ('problem' in opened) return opened
  const said = readPayload(opened.payload)
  if (said === undefined) return unexpectedPayload
  if (said.tool !== nameAtClient(expected.tool)) return { problem: 'it was made for another tool' }
  if (said.args !== argumentsDigest(expected.arguments)) return { problem: 'it was made for other arguments' }
  const late = lifetimeProblem(said.expires, expected.now)
  if (late !== undefined) return late
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

function readPayload(value: JsonObject): Payload | undefined {
  if (Object.keys(value).some((name) => !fields.has(name))) return undefined
  const { agent, instance, session, tool, args, expires, nonce } = value
  const holds =
    isMatch(agent, agentIdPattern) &&
    (instance === undefined || isMatch(instance, idPattern)) &&
    isMatch(session, idPattern) &&
    isMatch(tool, idPattern) &&
    isMatch(args, digestPattern) &&
    Number.isSafeInteger(expires) &&
    isMatch(nonce, noncePattern)
  return holds ? (value as unknown as Payload) : undefined
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
