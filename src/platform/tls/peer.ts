/** Who a certificate stands for. Pure: what is known of our authorities and of what they issued is a parameter. */

import type { X509Certificate } from 'node:crypto'

import { callerNamed, type CertificateSubject } from './authority.ts'
import { clientUse, certificateFingerprint, isoTime, serialOf, untimely } from './certificate.ts'
import type { IssuedCertificate } from './issued.ts'
import { issuerOf } from './tls-folder.ts'

export type TlsPeer =
  | { readonly kind: 'agent' | 'operator'; readonly id: string; readonly serial: string }
  /** Why, for our own log. The other side is told nothing of it. */
  | { readonly refused: string }

/** What the certificate itself says, whatever the time: the same every time it is asked. */
export interface Examined {
  readonly serial: string
  readonly fingerprint: string
  readonly caller?: CertificateSubject
  readonly isForClients: boolean
}

/** Undefined where none of these authorities signed it. */
export function examine(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
): Examined | undefined {
  if (issuerOf(certificate, authorities) === undefined) return undefined
  const caller = callerNamed(certificate)
  return {
    serial: serialOf(certificate),
    fingerprint: certificateFingerprint(certificate),
    ...(caller !== undefined && { caller }),
    // A few versions of Node call the extended uses `keyUsage`, and answer nothing where there are none.
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
  if (issued === undefined || issued.fingerprint !== fingerprint) return refused('is not on record here')
  if (issued.revokedAt !== undefined) return refused(`was revoked at ${isoTime(issued.revokedAt)}`)
  const problem = untimely(certificate, now)
  if (problem !== undefined) return refused(problem)
  if (issued.kind === 'server') return refused('is that of a server, and stands for no caller')
  if (caller === undefined) return refused('does not carry one name of ours and no other')
  if (!isForClients) return refused('is not meant for callers')
  if (caller.kind !== issued.kind || caller.id !== issued.name) {
    return refused('carries another name than the one on record')
  }
  return { ...caller, serial }
}
