/** Identifies the peer of a connection for each call, because a certificate may have been revoked in the meantime. */

import type { ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'

import type { Client } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { readTrace } from '../../platform/telemetry/trace-context.ts'
import type { OpenTls } from '../../platform/tls/open-tls.ts'
import { certificateOf, type RefusalReport } from '../../platform/tls/serve-tls.ts'
import {
  certificateCaller,
  certificateId,
  localCaller,
  type ApiCaller,
  type DeclaredCaller,
} from '../sessions/callers.ts'

export interface GrpcPeer {
  /** The caller that rate limits apply to. */
  readonly key: string
  callerOf(headers: Headers): ApiCaller
  /** Whether the peer's credentials are still valid: for long-lived streams. */
  isLive(): boolean
  /** The folder named by a caller on this machine; undefined for the default and for remote callers. */
  workspaceOf(headers: Headers): string | undefined
}

/** Throws CERTIFICATE_REQUIRED unless the peer has a valid certificate issued by us. */
export type GrpcPeers = (stream: ServerHttp2Stream) => GrpcPeer

const local: GrpcPeer = {
  key: 'local',
  callerOf: (headers) => localCaller(clientOf(headers), declaredCallerIn(headers)),
  isLive: () => true,
  workspaceOf: (headers) => decoded(headers.get('contextd-workspace')),
}

/** Anyone who can open the socket is this user. */
export const localPeers: GrpcPeers = () => local

export function certificatePeers(tls: OpenTls, report: RefusalReport): GrpcPeers {
  return (stream) => {
    const { session } = stream
    const peer = tls.identify(session && certificateOf(session.socket as TLSSocket))
    if ('refused' in peer) {
      report('a certificate was refused', { why: peer.refused, address: addressOf(stream) })
      throw new ContextdError('CERTIFICATE_REQUIRED')
    }
    return {
      key: certificateId(peer.serial),
      callerOf: (headers) => certificateCaller(clientOf(headers), peer, declaredCallerIn(headers)),
      isLive: () => tls.isLive(peer.serial),
      workspaceOf: () => undefined,
    }
  }
}

function addressOf({ session }: ServerHttp2Stream): string {
  return session?.socket.remoteAddress ?? 'gone'
}

/** `grpc-node-js/1.14.7 …` is a name and a version. Only plain words are recorded. */
function clientOf(headers: Headers): Client {
  const userAgent = headers.get('user-agent') ?? ''
  const [, name = 'grpc', version = ''] = /^([\w.+-]{1,64})(?:\/([\w.+-]{1,32}))?/.exec(userAgent) ?? []
  return { name, version, door: 'grpc' }
}

function declaredCallerIn(headers: Headers): DeclaredCaller {
  const agent = headers.get('contextd-agent')
  const session = headers.get('contextd-session')
  const trace = readTrace({
    traceparent: headers.get('traceparent') ?? undefined,
    tracestate: headers.get('tracestate') ?? undefined,
  })
  return { ...(agent !== null && { agent }), ...(session !== null && { session }), trace }
}

/** Metadata is ASCII; a path need not be. */
function decoded(text: string | null): string | undefined {
  if (text === null) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
