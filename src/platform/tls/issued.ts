/** The certificates our authority issued: unrecorded and revoked ones are invalid. */

import type { X509Certificate } from 'node:crypto'

import type { Clock } from '../../core/ports.ts'
import type { SqlRow } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'
import { day } from './authority.ts'
import { certificateFingerprint, serialOf, validityOf } from './certificate.ts'

export type CertificateKind = 'server' | 'agent' | 'operator'

export interface IssuedCertificate {
  readonly serial: string
  readonly kind: CertificateKind
  /** The agent or operator; for a server, its first host name. */
  readonly name: string
  readonly fingerprint: string
  /** The fingerprint of the issuing authority. */
  readonly authority: string
  readonly notBefore: number
  readonly notAfter: number
  readonly createdAt: number
  readonly revokedAt?: number
}

export interface IssuedCertificates {
  add(
    certificate: X509Certificate,
    about: { kind: CertificateKind; name: string; authority: X509Certificate },
  ): void
  list(): IssuedCertificate[]
  /** Valid certificates of agents and operators. */
  liveCallers(): IssuedCertificate[]
  find(serial: string): IssuedCertificate | undefined
  /** False if there is no such active certificate. */
  revoke(serial: string): boolean
  /** Revokes all certificates of other authorities, and returns how many of them were valid. */
  keepOnlyOf(authority: X509Certificate): number
}

/** An expired certificate is refused even without its row, so the row can be deleted. */
const retentionAfterExpiry = 90 * day

export function issuedCertificates(store: Store, tenant: string, clock: Clock): IssuedCertificates {
  const rows = store.rows('certificates', { tenant })
  const liveCallers = (): IssuedCertificate[] =>
    rows
      .all({ revoked_at: null, not_after: { atLeast: clock() } }, { orderBy: 'created_at' })
      .map(readRow)
      .filter(({ kind }) => kind !== 'server')
  return {
    add(certificate, { kind, name, authority }) {
      const now = clock()
      const { notBefore, notAfter } = validityOf(certificate)
      rows.remove({ not_after: { atMost: now - retentionAfterExpiry } })
      rows.insert({
        serial: serialOf(certificate),
        kind,
        name,
        fingerprint: certificateFingerprint(certificate),
        authority: certificateFingerprint(authority),
        not_before: notBefore,
        not_after: notAfter,
        created_at: now,
      })
    },
    list: () => rows.all({}, { orderBy: 'created_at' }).map(readRow),
    liveCallers,
    find(serial) {
      const row = rows.first({ serial })
      return row && readRow(row)
    },
    revoke: (serial) => rows.update({ revoked_at: clock() }, { serial, revoked_at: null }) === 1,
    keepOnlyOf(authority) {
      const isOther = (one: IssuedCertificate): boolean => one.authority !== certificateFingerprint(authority)
      const ended = liveCallers().filter(isOther).length
      const now = clock()
      for (const { serial } of rows.all({ revoked_at: null }).map(readRow).filter(isOther)) {
        rows.update({ revoked_at: now }, { serial })
      }
      return ended
    },
  }
}

function readRow(row: SqlRow): IssuedCertificate {
  return {
    serial: String(row.serial),
    kind: row.kind as CertificateKind,
    name: String(row.name),
    fingerprint: String(row.fingerprint),
    authority: String(row.authority),
    notBefore: Number(row.not_before),
    notAfter: Number(row.not_after),
    createdAt: Number(row.created_at),
    ...(row.revoked_at !== null && { revokedAt: Number(row.revoked_at) }),
  }
}
