/** Which requests the model door accepts. */

import type { IncomingMessage } from 'node:http'

import type { Runtime } from '../../compose.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { checkOrigin, isLoopbackPeer } from '../limits/http-guard.ts'
import { checkSingleHeaders } from '../limits/single-headers.ts'
import type { ModelProvider, ModelTarget } from './target.ts'

/** A request that passed the checks. */
export interface AdmittedModelRequest {
  readonly target: ModelTarget
  readonly provider: ModelProvider
  readonly key: { readonly id: string; readonly client: string }
}

export interface ModelAdmission {
  readonly modelKeys: Pick<Runtime['modelKeys'], 'verify'>
  /** Our host names that a request may be addressed to. */
  readonly allowed: readonly string[]
  /** Counts the connection for this caller. Throws if it has too many. */
  readonly admit: (request: IncomingMessage, caller: string) => void
}

/** Throws for a caller that may not use the door, and for a URL without a known provider. */
export function admitModelRequest(
  request: IncomingMessage,
  to: { readonly target: ModelTarget | undefined; readonly provider: ModelProvider | undefined },
  { modelKeys, allowed, admit }: ModelAdmission,
): AdmittedModelRequest {
  const { target, provider } = to
  if (!isLoopbackPeer(request.socket.remoteAddress)) throw new ContextdError('MODEL_NOT_LOCAL')
  const wrong = checkSingleHeaders(request.rawHeaders)
  if (wrong !== undefined) throw wrong
  if (checkOrigin(request.headers, allowed) !== undefined) throw new ContextdError('FORBIDDEN_ORIGIN')
  if (target === undefined) throw unreadablePath()
  const key = modelKeys.verify(target.key)
  if (key === undefined) throw new ContextdError('MODEL_KEY_INVALID')
  admit(request, `model:${key.id}`)
  if (provider === undefined) throw new ContextdError('MODEL_PROVIDER_UNKNOWN', { provider: target.provider })
  return { target, provider, key }
}

function unreadablePath(): ContextdError {
  const hint = 'Use /model/<key>/<provider>/<path>, without empty parts, `..` or encoded separators.'
  return new ContextdError('INVALID_REQUEST', { what: 'the path cannot be forwarded unchanged', hint })
}
