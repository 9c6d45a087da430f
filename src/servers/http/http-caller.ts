/** Who sends an HTTP request, according to its certificate or bearer token. */

import type { IncomingMessage } from 'node:http'

import type { Runtime } from '../../compose.ts'
import type { Claims } from '../../core/call.ts'
import { bearerOf } from '../limits/http-guard.ts'
import { certificateId, certificateToken, type CallerCertificate } from '../sessions/callers.ts'
import type { HttpListener } from './tls.ts'

type Token = NonNullable<Claims['token']>

export interface HttpCaller {
  /** Of the token or certificate; undefined without valid credentials. */
  readonly id: string | undefined
  /** An operator's certificate has none. */
  readonly token: Token | undefined
  readonly credentials: Token | CallerCertificate | undefined
  /** Whether the request has a bearer token, valid or not. */
  readonly hasBearer: boolean
}

/** `refused` for a certificate that is not valid, whatever the token. */
export function identifyHttpCaller(
  request: IncomingMessage,
  { peerOf }: Pick<HttpListener, 'peerOf'>,
  tokens: Pick<Runtime['tokens'], 'verify'>,
): HttpCaller | 'refused' {
  const peer = peerOf(request)
  if (peer !== undefined && 'refused' in peer) return 'refused'
  const bearer = bearerOf(request.headers)
  const token = (peer && certificateToken(peer)) ?? (bearer === undefined ? undefined : tokens.verify(bearer))
  return {
    id: peer === undefined ? token?.id : certificateId(peer.serial),
    token,
    credentials: peer ?? token,
    hasBearer: bearer !== undefined,
  }
}
