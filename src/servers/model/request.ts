/** Reads the caller and the model from the headers and body of a model request. Pure. */

import type { IncomingHttpHeaders } from 'node:http'

import { MAIN_AGENT, type Claims } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonNode } from '@contextd/shared/json/json-node'
import { InvalidJson, memberOf, parseJsonSpans, stringAt } from '../../model/wire/json-spans.ts'
import { callerHeader, verifySignedCaller } from '../../stages/identity/signed-caller.ts'

/** The sender of a request, as far as its headers identify it. */
export interface ModelCaller {
  /** The client's own session. */
  readonly clientSession?: string
  /** The client's working folder. */
  readonly folder?: string
  readonly claims: Pick<Claims, 'attested' | 'isUnknown'>
}

export interface ModelCallerProofs {
  /** The key our plugins sign with. */
  readonly key: () => Uint8Array
  readonly now: number
  /** The client that the key was created for. */
  readonly client: string
  /** The agent that an instance was attested to be; the main thread is the empty instance. */
  readonly agentOf: (clientSession: string, instance: string) => string | undefined
}

/** Longer ids are ignored. */
const maxIdLength = 256

/**
 * Our plugin signs the caller; Claude Code names its session and subagent; other clients are unknown. Throws if a
 * signature is invalid.
 */
export function readCaller(headers: IncomingHttpHeaders, proofs: ModelCallerProofs): ModelCaller {
  const { key, now, client, agentOf } = proofs
  const signed = headers[callerHeader]
  if (signed !== undefined) return signedCaller(verifySignedCaller(signed, { key: key(), now }))
  // A key of another client opens no session of Claude Code.
  if (client !== 'claude-code') return { claims: { isUnknown: true } }
  const header = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' && value.length <= maxIdLength ? value : undefined
  }
  const clientSession = header('x-claude-code-session-id')
  if (clientSession === undefined) return { claims: { isUnknown: true } }
  const instance = header('x-claude-code-agent-id')
  return { clientSession, claims: claimsOf(instance, (one) => agentOf(clientSession, one)) }
}

function claimsOf(
  instance: string | undefined,
  agentOf: (instance: string) => string | undefined,
): ModelCaller['claims'] {
  if (instance === undefined) return { attested: { agent: agentOf('') ?? MAIN_AGENT } }
  const attested = agentOf(instance)
  return attested === undefined ? { isUnknown: true } : { attested: { agent: attested, instance } }
}

/** No fallback: in another session, its tokens would mean other secrets. */
function signedCaller(verified: ReturnType<typeof verifySignedCaller>): ModelCaller {
  if ('problem' in verified) throw new ContextdError('ATTESTATION_FORGED', { problem: verified.problem })
  const { session, agent, instance, folder } = verified
  const attested = agent === undefined ? undefined : { agent, ...(instance !== undefined && { instance }) }
  return {
    clientSession: session,
    ...(folder !== undefined && { folder }),
    claims: attested === undefined ? { isUnknown: true } : { attested },
  }
}

/** The byte text of a body as JSON; undefined if invalid. */
export function bodyRoot(body: string): JsonNode | undefined {
  return unlessInvalid(() => parseJsonSpans(body, true))
}

/** The `model` of a body that is a JSON object. */
export function modelIn(body: string, root: JsonNode | undefined): string | undefined {
  const model = memberOf(body, root, 'model')
  if (model?.kind !== 'string' || model.end - model.start > maxIdLength) return undefined
  return unlessInvalid(() => stringAt(body, model))
}

function unlessInvalid<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidJson) return undefined
    throw error
  }
}
