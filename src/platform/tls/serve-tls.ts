/** Lets only known peers in, and keeps the certificate of a running server fresh. */

import type { X509Certificate } from 'node:crypto'
import type { Server, TLSSocket, TlsOptions } from 'node:tls'

import { CodedError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import type { Log } from '../log.ts'
import type { OpenTls, TlsPeer } from './open-tls.ts'

/**
 * For `http2.createSecureServer` and `https.createServer`. The handshake itself refuses no certificate, because it could
 * not say why: `admitPeers` does, before a byte of the protocol is read.
 */
export function serverOptions(tls: OpenTls): TlsOptions {
  return { ...tls.context(), minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: false }
}

export interface Reports {
  readonly log: Log
  /** Writes an audit event: `certificate-refused`. */
  readonly onEvent: (name: string, details: JsonObject) => void
  readonly clock?: Clock
}

const shown = new WeakMap<object, X509Certificate | undefined>()

/** Read once for each connection: that takes longer than the rest of a small call. */
export function certificateOf(socket: TLSSocket): X509Certificate | undefined {
  if (!shown.has(socket)) shown.set(socket, socket.getPeerX509Certificate())
  return shown.get(socket)
}

export type RefusalReport = (
  message: string,
  details: { readonly why: string; readonly address: string },
) => void

/**
 * Ends connections whose certificate is refused before the server sees them, and those that `admit` throws at. For doors
 * where a certificate is a must.
 */
export function admitPeers(
  server: Server,
  tls: OpenTls,
  reports: Reports,
  admit: (socket: TLSSocket, peer: Exclude<TlsPeer, { refused: string }>) => void = () => {},
): void {
  const listeners = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  const report = refusalReport(reports)
  server.on('secureConnection', (socket) => {
    const refuse = (why: string): void => {
      const address = addressOf(socket)
      socket.destroy()
      report('a caller was refused', { why, address })
    }
    const peer = tls.identify(certificateOf(socket))
    if ('refused' in peer) return refuse(peer.refused)
    try {
      admit(socket, peer)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      return refuse(error.message)
    }
    for (const listener of listeners) listener.call(server, socket)
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const why = `the handshake failed (${error.code ?? error.name})`
    report('a caller was refused', { why, address: addressOf(socket) })
  })
}

const reportsAMinute = 20

/** A stranger who tries again and again must fill neither the log nor the audit. */
export function refusalReport({ log, onEvent, clock = Date.now }: Reports): RefusalReport {
  let minute = 0
  let written = 0
  let leftOut = 0
  return (message, details) => {
    const now = Math.floor(clock() / 60_000)
    if (now !== minute) {
      minute = now
      written = 0
    }
    if (written++ >= reportsAMinute) {
      leftOut++
      return
    }
    const all = { ...details, ...(leftOut > 0 && { left_out: leftOut }) }
    leftOut = 0
    log('warn', message, all)
    try {
      onEvent('certificate-refused', all)
    } catch (error) {
      // It is refused all the same, and nobody above could do anything about it.
      log('error', 'a refusal could not be recorded', { cause: String(error) })
    }
  }
}

function addressOf({ remoteAddress, remotePort }: TLSSocket): string {
  return remoteAddress === undefined ? 'gone' : `${remoteAddress}:${remotePort}`
}

const lookEvery = 60_000

/** Looks at once and every minute whether the certificate is due or was replaced, and serves the new one. Answers how to stop. */
export function keepFresh(server: Server, tls: OpenTls, log: Log): () => void {
  let problem: string | undefined
  const look = (): void => {
    try {
      if (tls.reload()) server.setSecureContext(serverOptions(tls))
      problem = undefined
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      // Said once, not every minute.
      if (cause !== problem)
        log('error', 'the certificates could not be read or renewed; the old ones serve on', { cause })
      problem = cause
    }
  }
  look()
  const looking = setInterval(look, lookEvery)
  looking.unref()
  return () => clearInterval(looking)
}
