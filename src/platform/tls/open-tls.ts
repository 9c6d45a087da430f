/** TLS for the servers of contextd: what they present, and who is at the other end. */

import type { X509Certificate } from 'node:crypto'

import type { JsonObject } from '@contextd/shared/json/value'
import { certificateFingerprint, isoTime, serialOf, validityOf } from './certificate.ts'
import { isServerDue, renewServer, type TlsPlace } from './changes.ts'
import { issuedCertificates } from './issued.ts'
import { examine, judgePeer, type Examined, type TlsPeer } from './peer.ts'
import { keyPem, pem, readTlsFolder, stampOf } from './tls-folder.ts'

export type { TlsPeer } from './peer.ts'

export interface OpenTlsOptions extends TlsPlace {
  /** Writes an audit event: `certificate-renewed`. */
  readonly onEvent: (name: string, details: JsonObject) => void
}

/** PEM, as `node:tls` takes it. */
export interface TlsContext {
  /** The authorities whose certificates count: two while a rotation is under way. */
  readonly ca: string[]
  readonly cert: string
  readonly key: string
}

export interface OpenTls {
  context(): TlsContext
  /**
   * Who a certificate stands for, looked up with every call, so that a revoked one ends at once, also on a connection
   * that is open. Does not rely on what the handshake found.
   */
  identify(certificate: X509Certificate | undefined): TlsPeer
  /** Whether a certificate that was identified once still counts: for streams that stay open. */
  isLive(serial: string): boolean
  /**
   * Reads the folder again and renews the certificate of the server where it is due. True where `context()` is another
   * one now. Throws for a damaged folder; what was read before stays in force.
   */
  reload(): boolean
}

/** So many certificates are examined once only. */
const remembered = 1000

/** Undefined where `ctxd tls init` was never run. Throws TLS_FOLDER_DAMAGED for what is not whole. */
export function openTls({ onEvent, ...place }: OpenTlsOptions): OpenTls | undefined {
  const { folder, store, tenant, clock } = place
  const issued = issuedCertificates(store, tenant, clock)
  let stamp = stampOf(folder)
  const first = readTlsFolder(folder)
  if (first === undefined) return undefined
  let known = first
  let examined = new Map<string, Examined>()

  /** True where it is another one than before. */
  const reread = (): boolean => {
    const now = stampOf(folder)
    if (now === stamp) return false
    const found = readTlsFolder(folder)
    // Taken away under a server that runs: what it has serves on.
    if (found === undefined) return false
    known = found
    examined = new Map()
    stamp = now
    return true
  }

  const examineOnce = (certificate: X509Certificate): Examined | undefined => {
    const fingerprint = certificateFingerprint(certificate)
    const before = examined.get(fingerprint)
    if (before !== undefined) return before
    let found = examine(certificate, known.authorities)
    // Somebody may have rotated since.
    if (found === undefined && rereadQuietly()) found = examine(certificate, known.authorities)
    if (found === undefined) return undefined
    if (examined.size >= remembered) examined.clear()
    examined.set(fingerprint, found)
    return found
  }

  const rereadQuietly = (): boolean => {
    try {
      return reread()
    } catch {
      // `reload` says it.
      return false
    }
  }

  return {
    context: () => ({
      ca: known.authorities.map(pem),
      cert: [known.server.certificate, ...known.bridges].map(pem).join(''),
      key: keyPem(known.server.key),
    }),
    identify(certificate) {
      if (certificate === undefined) return { refused: 'no certificate was shown' }
      const found = examineOnce(certificate)
      if (found === undefined) {
        return {
          refused: `the certificate with the fingerprint ${certificateFingerprint(certificate)} is not of our authority`,
        }
      }
      return judgePeer(certificate, found, issued.find(found.serial), clock())
    },
    isLive(serial) {
      const row = issued.find(serial)
      return row !== undefined && row.revokedAt === undefined && clock() <= row.notAfter
    },
    reload() {
      const isOther = reread()
      if (!isServerDue(known, clock())) return isOther
      const { certificate } = renewServer(place)
      onEvent('certificate-renewed', {
        kind: 'server',
        serial: serialOf(certificate),
        not_after: isoTime(validityOf(certificate).notAfter),
      })
      reread()
      return true
    },
  }
}
