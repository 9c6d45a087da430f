/** Admits only known peers, and keeps a running server's certificate current. */

import type { X509Certificate } from 'node:crypto'
import type { Server, TLSSocket, TlsOptions } from 'node:tls'

import { CodedError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import type { Log } from '../log.ts'
import type { OpenTls, TlsPeer } from './open-tls.ts'

/**
 * For `http2.createSecureServer` and `https.createServer`. The handshake itself accepts any certificate, because it
 * could not report the reason of a refusal: `admitPeers` checks it before any byte of the protocol is read.
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

const peerCertificates = new WeakMap<object, X509Certificate | undefined>()

/** Read once per connection, because that takes longer than the rest of a small call. */
export function certificateOf(socket: TLSSocket): X509Certificate | undefined {
  if (!peerCertificates.has(socket)) peerCertificates.set(socket, socket.getPeerX509Certificate())
  return peerCertificates.get(socket)
}

export type RefusalReport = (
  message: string,
  details: { readonly why: string; readonly address: string },
) => void

/**
 * Closes connections with a refused certificate before the server sees them, and those for which `admit` throws. For
 * doors that require a certificate.
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

const maxReportsPerMinute = 20

/** Repeated attempts must not fill the log or the audit log. */
export function refusalReport({ log, onEvent, clock = Date.now }: Reports): RefusalReport {
  let minute = 0
  let written = 0
  let omitted = 0
  return (message, details) => {
    const now = Math.floor(clock() / 60_000)
    if (now !== minute) {
      minute = now
      written = 0
    }
    if (written++ >= maxReportsPerMinute) {
      omitted++
      return
    }
    const all = { ...details, ...(omitted > 0 && { left_out: omitted }) }
    omitted = 0
    log('warn', message, all)
    try {
      onEvent('certificate-refused', all)
    } catch (error) {
      // The peer is refused anyway, and no caller could handle the error.
      log('error', 'a refusal could not be recorded', { cause: String(error) })
    }
  }
}

function addressOf({ remoteAddress, remotePort }: TLSSocket): string {
  return remoteAddress === undefined ? 'gone' : `${remoteAddress}:${remotePort}`
}

const checkIntervalMs = 60_000

/**
 * Checks now and every minute whether the certificate is due or was replaced, and serves the new one. Returns a
 * function that stops it.
 */
export function keepCertificateCurrent(server: Server, tls: OpenTls, log: Log): () => void {
  let problem: string | undefined
  const check = (): void => {
    try {
      if (tls.reload()) server.setSecureContext(serverOptions(tls))
      problem = undefined
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      // Logged once, not every minute.
      if (cause !== problem)
        log('error', 'the certificates could not be read or renewed; the old ones stay in use', { cause })
      problem = cause
    }
  }
  check()
  const timer = setInterval(check, checkIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
