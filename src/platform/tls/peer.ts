/** The caller that a certificate identifies. Pure: our authorities and issued certificates are parameters. */

import type { X509Certificate } from 'node:crypto'

import { callerInCertificate, type CertificateSubject } from './authority.ts'
import { clientUse, certificateFingerprint, isoTime, serialOf, validityProblem } from './certificate.ts'
import type { IssuedCertificate } from './issued.ts'
import { issuerOf } from './tls-folder.ts'

export type TlsPeer =
  | { readonly kind: 'agent' | 'operator'; readonly id: string; readonly serial: string }
  /** The reason, for our own log only. The peer does not learn it. */
  | { readonly refused: string }

/** The content of the certificate itself, independent of time. */
export interface Examined {
  readonly serial: string
  readonly fingerprint: string
  readonly caller?: CertificateSubject
  readonly isForClients: boolean
}

/** Undefined if none of these authorities signed it. */
export function examine(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
): Examined | undefined {
  if (issuerOf(certificate, authorities) === undefined) return undefined
  const caller = callerInCertificate(certificate)
  return {
    serial: serialOf(certificate),
    fingerprint: certificateFingerprint(certificate),
    ...(caller !== undefined && { caller }),
    // Some versions of Node report extended key usage as `keyUsage`, or undefined if missing.
    isForClients: (certificate.keyUsage as string[] | undefined)?.includes(clientUse) === true,
  }
}

export function judgePeer(
  certificate: X509Certificate,
  { serial, fingerprint, caller, isForClients }: Examined,
  issued: IssuedCertificate | undefined,
  now: number,
): TlsPeer {
  const refused = (why: string): TlsPeer => ({ refused: `the certificate ${serial} ${why}` })
  if (issued === undefined || issued.fingerprint !== fingerprint) return refused('is not recorded here')
  if (issued.revokedAt !== undefined) return refused(`was revoked at ${isoTime(issued.revokedAt)}`)
  const problem = validityProblem(certificate, now)
  if (problem !== undefined) return refused(problem)
  if (issued.kind === 'server') return refused('is a server certificate, which identifies no caller')
  if (caller === undefined) return refused('does not contain exactly one contextd name')
  if (!isForClients) return refused('is not meant for client authentication')
  if (caller.kind !== issued.kind || caller.id !== issued.name) {
    return refused('has a different name than the recorded one')
  }
  return { ...caller, serial }
}
