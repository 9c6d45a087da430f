/**
 * Changes of our certificates: setup, renewal, rotation, issuing. Changes run one at a time: the store's transaction
 * keeps a daemon that renews and a user who rotates from mixing their files.
 */

import type { Clock } from '../../core/ports.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Store } from '../storage/store.ts'
import {
  createAuthority,
  crossSign,
  day,
  hour,
  issueCaller,
  issueServer,
  type CertificateSubject,
  type Certified,
} from './authority.ts'
import { validityProblem, validityOf } from './certificate.ts'
import { certificateHosts } from './host-names.ts'
import { issuedCertificates, type IssuedCertificates } from './issued.ts'
import {
  addAuthority,
  issuerOf,
  keepOnlyAuthority,
  createTlsFolder,
  readTlsFolder,
  replaceServer,
  type TlsFolder,
} from './tls-folder.ts'

/** Where certificates are stored. */
export interface TlsPlace {
  /** `paths.tls`. */
  readonly folder: string
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
}

const serverLife = 30 * day
/** A server that is off for less than this still has a valid certificate afterwards. */
const renewBeforeExpiry = 10 * day

/** The folder's content, or TLS_NOT_SET_UP. */
export function requireTlsFolder(folder: string): TlsFolder {
  const found = readTlsFolder(folder)
  if (found === undefined) throw new ContextdError('TLS_NOT_SET_UP')
  return found
}

/**
 * Creates a new authority and server certificate. Existing files are moved to `aside`, and their certificates become
 * invalid.
 */
export function setUpTls(place: TlsPlace, hosts: readonly string[], aside?: string): void {
  const { folder, clock } = place
  exclusively(place, (issued) => {
    const now = clock()
    const authority = createAuthority(now)
    const server = issueServer(authority, hosts, { now, life: serverLife })
    createTlsFolder(folder, { authority, server }, aside)
    issued.keepOnlyOf(authority.certificate)
    recordServer(issued, authority, server)
  })
}

/** Issues a new server certificate, for other hosts if given. */
export function renewServer(place: TlsPlace, hosts?: readonly string[]): Certified {
  const { folder, clock } = place
  return exclusively(place, (issued) => {
    const { authority, server } = requireTlsFolder(folder)
    return certifyServer({ folder, issued, authority, before: server, hosts, now: clock() })
  })
}

/** Whether the server needs a new certificate, and the authority can issue a better one. */
export function isRenewalDue({ authority, server }: TlsFolder, now: number): boolean {
  if (validityProblem(authority.certificate, now) !== undefined) return false
  const { notBefore, notAfter } = validityOf(server.certificate)
  if (now < notBefore || issuerOf(server.certificate, [authority.certificate]) === undefined) return true
  const attainable = Math.min(now + serverLife, validityOf(authority.certificate).notAfter)
  return now > notAfter - renewBeforeExpiry && attainable > notAfter + hour
}

/**
 * `cut off`: a rotation was started, but never issued with the new authority. Nothing is lost; it can be started
 * again.
 */
export type Rotation = 'none' | 'open' | 'cut off'

export function rotationOf({ authorities, authority }: TlsFolder): Rotation {
  if (authorities.length === 1) return 'none'
  return authorities[0] === authority.certificate ? 'open' : 'cut off'
}

/** Adds a new authority; the old one stays accepted until `finishRotation`. */
export function startRotation(place: TlsPlace): void {
  const { folder, clock } = place
  exclusively(place, (issued) => {
    const { authority: old, server } = requireTlsFolder(folder)
    const now = clock()
    const authority = createAuthority(now)
    addAuthority(folder, old.certificate, authority, crossSign(authority.certificate, old))
    certifyServer({ folder, issued, authority, before: server, now })
  })
}

/** Drops the old authority. Returns how many valid caller certificates it invalidated. */
export function finishRotation(place: TlsPlace): number {
  const { folder, clock } = place
  return exclusively(place, (issued) => {
    const { authority, server } = requireTlsFolder(folder)
    if (issuerOf(server.certificate, [authority.certificate]) === undefined) {
      certifyServer({ folder, issued, authority, before: server, now: clock() })
    }
    keepOnlyAuthority(folder, authority.certificate)
    return issued.keepOnlyOf(authority.certificate)
  })
}

/** Issues a caller's certificate. It is valid once this returns; its key is only in the return value. */
export function certifyCaller(
  place: TlsPlace,
  caller: CertificateSubject,
  life: number,
): Certified & { authority: Certified } {
  const { folder, clock } = place
  return exclusively(place, (issued) => {
    const { authority } = requireTlsFolder(folder)
    const certified = issueCaller(authority, caller, { now: clock(), life })
    issued.add(certified.certificate, {
      kind: caller.kind,
      name: caller.id,
      authority: authority.certificate,
    })
    return { ...certified, authority }
  })
}

function exclusively<T>({ store, tenant, clock }: TlsPlace, work: (issued: IssuedCertificates) => T): T {
  return store.transaction(() => work(issuedCertificates(store, tenant, clock)))
}

function certifyServer({
  folder,
  issued,
  authority,
  before,
  hosts = certificateHosts(before.certificate),
  now,
}: {
  readonly folder: string
  readonly issued: IssuedCertificates
  readonly authority: Certified
  readonly before: Certified
  readonly hosts?: readonly string[] | undefined
  readonly now: number
}): Certified {
  const server = issueServer(authority, hosts, { now, life: serverLife })
  replaceServer(folder, before, server)
  recordServer(issued, authority, server)
  return server
}

function recordServer(issued: IssuedCertificates, authority: Certified, { certificate }: Certified): void {
  const name = certificateHosts(certificate)[0] ?? ''
  issued.add(certificate, { kind: 'server', name, authority: authority.certificate })
}
