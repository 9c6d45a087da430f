/** HTTPS if `http.tls` is on: the same requests, with the certificate of `ctxd tls init`. */

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { TLSSocket } from 'node:tls'

import type { Runtime } from '../../compose.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { openTls, type OpenTls, type TlsPeer } from '../../platform/tls/open-tls.ts'
import {
  certificateOf,
  keepCertificateCurrent,
  refusalReport,
  serverOptions,
} from '../../platform/tls/serve-tls.ts'
import { doorLimits, type DoorLimits } from '../limits/door-limits.ts'
import { httpServerOptions } from '../wire/http-limits.ts'

/** This contextd's certificates; undefined if `ctxd tls init` was never run. */
export function tlsOf({
  paths,
  store,
  audit,
}: Pick<Runtime, 'paths' | 'store' | 'audit'>): OpenTls | undefined {
  return openTls({
    folder: paths.tls,
    store,
    tenant: LOCAL_TENANT,
    clock: Date.now,
    onEvent: (name, details) => void audit.event(name, details),
  })
}

export interface HttpListener {
  readonly server: Server
  readonly scheme: 'http' | 'https'
  /** The peer's identity; undefined if it sent no certificate or `http.tls` is off. */
  peerOf(request: IncomingMessage): TlsPeer | undefined
  /** Whether a certificate is still valid: for long-lived streams. */
  isLive(serial: string): boolean
  /** To be called before the server is closed. */
  stop(): void
}

/** Plain HTTP by default. With `http.tls` but no certificates it throws. */
export function createHttpListener(
  runtime: Runtime,
  handle: RequestListener,
  limits: DoorLimits = doorLimits,
): HttpListener {
  const { config, log, audit } = runtime
  if (!config.http.tls) {
    const server = createServer(httpServerOptions(limits), handle)
    return { server, scheme: 'http', peerOf: () => undefined, isLive: () => false, stop: () => {} }
  }
  const tls = tlsOf(runtime)
  if (tls === undefined) throw new ContextdError('TLS_NOT_SET_UP')
  const handshakeTimeout = limits.handshakeMs
  const server = createSecureServer(
    { ...httpServerOptions(limits), ...serverOptions(tls), handshakeTimeout },
    handle,
  )
  const report = refusalReport({ log, onEvent: (name, details) => void audit.event(name, details) })
  return {
    server,
    scheme: 'https',
    isLive: (serial) => tls.isLive(serial),
    peerOf({ socket }) {
      const certificate = certificateOf(socket as TLSSocket)
      if (certificate === undefined) return undefined
      const peer = tls.identify(certificate)
      if ('refused' in peer) {
        report('a certificate was refused', { why: peer.refused, address: String(socket.remoteAddress) })
      }
      return peer
    },
    stop: keepCertificateCurrent(server, tls, log),
  }
}
