/** TLS for contextd's servers: which certificate they present, and who the peer is. */

import type { X509Certificate } from 'node:crypto'

import type { JsonObject } from '@contextd/shared/json/value'
import { certificateFingerprint, isoTime, serialOf, validityOf } from './certificate.ts'
import { isRenewalDue, renewServer, type TlsPlace } from './changes.ts'
import { issuedCertificates } from './issued.ts'
import { examine, judgePeer, type Examined, type TlsPeer } from './peer.ts'
import { keyPem, pem, readTlsFolder, folderVersion } from './tls-folder.ts'

export type { TlsPeer } from './peer.ts'

export interface OpenTlsOptions extends TlsPlace {
  /** Writes an audit event: `certificate-renewed`. */
  readonly onEvent: (name: string, details: JsonObject) => void
}

/** PEM, as `node:tls` expects it. */
export interface TlsContext {
  /** The accepted authorities: two during a rotation. */
  readonly ca: string[]
  readonly cert: string
  readonly key: string
}

export interface OpenTls {
  context(): TlsContext
  /**
   * The caller that a certificate identifies, looked up on every call, so that revocation takes effect immediately,
   * even on open connections. Does not rely on the handshake's own check.
   */
  identify(certificate: X509Certificate | undefined): TlsPeer
  /** Whether an identified certificate is still valid, for streams that stay open. */
  isLive(serial: string): boolean
  /**
   * Reads the folder again and renews the server certificate if it is due. True if `context()` has changed. Throws
   * for a damaged folder; the previous content stays in use.
   */
  reload(): boolean
}

/** Max cached certificate checks. */
const maxExamined = 1000

/** Undefined if `ctxd tls init` was never run. Throws TLS_FOLDER_DAMAGED if the folder is incomplete. */
export function openTls({ onEvent, ...place }: OpenTlsOptions): OpenTls | undefined {
  const { folder, store, tenant, clock } = place
  const issued = issuedCertificates(store, tenant, clock)
  let version = folderVersion(folder)
  const first = readTlsFolder(folder)
  if (first === undefined) return undefined
  let known = first
  let examined = new Map<string, Examined>()

  /** True if it has changed. */
  const reloadFolder = (): boolean => {
    const now = folderVersion(folder)
    if (now === version) return false
    const found = readTlsFolder(folder)
    // Removed while the server runs: it keeps using what it has.
    if (found === undefined) return false
    known = found
    examined = new Map()
    version = now
    return true
  }

  const examineOnce = (certificate: X509Certificate): Examined | undefined => {
    const fingerprint = certificateFingerprint(certificate)
    const before = examined.get(fingerprint)
    if (before !== undefined) return before
    let found = examine(certificate, known.authorities)
    // The authority may have been rotated since.
    if (found === undefined && tryReloadFolder()) found = examine(certificate, known.authorities)
    if (found === undefined) return undefined
    if (examined.size >= maxExamined) examined.clear()
    examined.set(fingerprint, found)
    return found
  }

  const tryReloadFolder = (): boolean => {
    try {
      return reloadFolder()
    } catch {
      // `reload` reports it.
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
      if (certificate === undefined) return { refused: 'no certificate was presented' }
      const found = examineOnce(certificate)
      if (found === undefined) {
        return {
          refused: `the certificate with the fingerprint ${certificateFingerprint(certificate)} was not issued by our authority`,
        }
      }
      return judgePeer(certificate, found, issued.find(found.serial), clock())
    },
    isLive(serial) {
      const row = issued.find(serial)
      return row !== undefined && row.revokedAt === undefined && clock() <= row.notAfter
    },
    reload() {
      const hasChanged = reloadFolder()
      if (!isRenewalDue(known, clock())) return hasChanged
      const { certificate } = renewServer(place)
      onEvent('certificate-renewed', {
        kind: 'server',
        serial: serialOf(certificate),
        not_after: isoTime(validityOf(certificate).notAfter),
      })
      reloadFolder()
      return true
    },
  }
}
