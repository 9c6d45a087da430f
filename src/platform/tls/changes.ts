/**
 * What happens to our certificates: set up, renewed, rotated, issued. One at a time: the store's transaction keeps a
 * daemon that renews and a person who rotates from mixing their files.
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
import { untimely, validityOf } from './certificate.ts'
import { hostsNamed } from './host-names.ts'
import { issuedCertificates, type IssuedCertificates } from './issued.ts'
import {
  addAuthority,
  issuerOf,
  keepOnlyAuthority,
  makeTlsFolder,
  readTlsFolder,
  replaceServer,
  type TlsFolder,
} from './tls-folder.ts'

/** Where certificates live. */
export interface TlsPlace {
  /** `paths.tls`. */
  readonly folder: string
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
}

const serverLife = 30 * day
/** A server that is off for less than this comes back with a certificate that counts. */
const renewedBefore = 10 * day

/** The folder, or TLS_NOT_SET_UP. */
export function wholeFolder(folder: string): TlsFolder {
  const found = readTlsFolder(folder)
  if (found === undefined) throw new ContextdError('TLS_NOT_SET_UP')
  return found
}

/** A new authority and a certificate for the server. What stood there goes to `aside`, and what it issued counts no more. */
export function setUpTls(place: TlsPlace, hosts: readonly string[], aside?: string): void {
  const { folder, clock } = place
  alone(place, (issued) => {
    const now = clock()
    const authority = createAuthority(now)
    const server = issueServer(authority, hosts, { now, life: serverLife })
    makeTlsFolder(folder, { authority, server }, aside)
    issued.keepOnlyOf(authority.certificate)
    noteServer(issued, authority, server)
  })
}

/** A new certificate for the server, for other hosts where they are given. */
export function renewServer(place: TlsPlace, hosts?: readonly string[]): Certified {
  const { folder, clock } = place
  return alone(place, (issued) => {
    const { authority, server } = wholeFolder(folder)
    return certifyServer({ folder, issued, authority, before: server, hosts, now: clock() })
  })
}

/** Whether the server needs another certificate, and a better one can be had. */
export function isServerDue({ authority, server }: TlsFolder, now: number): boolean {
  if (untimely(authority.certificate, now) !== undefined) return false
  const { notBefore, notAfter } = validityOf(server.certificate)
  if (now < notBefore || issuerOf(server.certificate, [authority.certificate]) === undefined) return true
  const attainable = Math.min(now + serverLife, validityOf(authority.certificate).notAfter)
  return now > notAfter - renewedBefore && attainable > notAfter + hour
}

/** `cut off`: somebody began one and did not get to issue with the new authority. Nothing is lost; it can be begun again. */
export type Rotation = 'none' | 'open' | 'cut off'

export function rotationOf({ authorities, authority }: TlsFolder): Rotation {
  if (authorities.length === 1) return 'none'
  return authorities[0] === authority.certificate ? 'open' : 'cut off'
}

/** A new authority beside the old one, which stays accepted until `finishRotation`. */
export function startRotation(place: TlsPlace): void {
  const { folder, clock } = place
  alone(place, (issued) => {
    const { authority: old, server } = wholeFolder(folder)
    const now = clock()
    const authority = createAuthority(now)
    addAuthority(folder, old.certificate, authority, crossSign(authority.certificate, old))
    certifyServer({ folder, issued, authority, before: server, now })
  })
}

/** Drops the old authority. Answers how many certificates of callers counted until now. */
export function finishRotation(place: TlsPlace): number {
  const { folder, clock } = place
  return alone(place, (issued) => {
    const { authority, server } = wholeFolder(folder)
    if (issuerOf(server.certificate, [authority.certificate]) === undefined) {
      certifyServer({ folder, issued, authority, before: server, now: clock() })
    }
    keepOnlyAuthority(folder, authority.certificate)
    return issued.keepOnlyOf(authority.certificate)
  })
}

/** A certificate for a caller. It counts from the moment this returns; its key is nowhere but in the answer. */
export function certifyCaller(
  place: TlsPlace,
  caller: CertificateSubject,
  life: number,
): Certified & { authority: Certified } {
  const { folder, clock } = place
  return alone(place, (issued) => {
    const { authority } = wholeFolder(folder)
    const made = issueCaller(authority, caller, { now: clock(), life })
    issued.add(made.certificate, { kind: caller.kind, name: caller.id, authority: authority.certificate })
    return { ...made, authority }
  })
}

function alone<T>({ store, tenant, clock }: TlsPlace, work: (issued: IssuedCertificates) => T): T {
  return store.transaction(() => work(issuedCertificates(store, tenant, clock)))
}

function certifyServer({
  folder,
  issued,
  authority,
  before,
  hosts = hostsNamed(before.certificate),
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
  noteServer(issued, authority, server)
  return server
}

function noteServer(issued: IssuedCertificates, authority: Certified, { certificate }: Certified): void {
  const name = hostsNamed(certificate)[0] ?? ''
  issued.add(certificate, { kind: 'server', name, authority: authority.certificate })
}
