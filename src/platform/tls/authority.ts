/** Our own certificate authority, and what it issues. Pure but for the keys it draws. */

import { createPublicKey, generateKeyPairSync, type KeyObject, type X509Certificate } from 'node:crypto'

import { agentIdPattern } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import {
  authorityConstraint,
  clientUse,
  extendedUse,
  hostNames,
  issuerKeyId,
  keyId,
  mayCertify,
  maySign,
  noAuthority,
  ownKeyId,
  serverUse,
  signCertificate,
  subjectOf,
  untimely,
  uriName,
  validityOf,
  type Validity,
} from './certificate.ts'

/** A certificate and the key that goes with it. */
export interface Certified {
  readonly certificate: X509Certificate
  readonly key: KeyObject
}

export interface CertificateSubject {
  readonly kind: 'agent' | 'operator'
  readonly id: string
}

export const hour = 3_600_000
export const day: number = 24 * hour
const authorityLife = 3652 * day
/** The clocks of two machines never agree. */
const leeway = hour / 12

export function createAuthority(now: number): Certified {
  const { publicKey, privateKey } = newKeys()
  const name = `contextd CA ${keyId(publicKey).toString('hex').slice(0, 8)}`
  const validity = { notBefore: now - leeway, notAfter: now + authorityLife }
  const certificate = certifyAuthority({ name, publicKey, depth: 1, validity }, name, privateKey)
  return { certificate, key: privateKey }
}

/** The next authority, vouched for by this one: who knows only this one then accepts what the next one issues. */
export function crossSign(next: X509Certificate, by: Certified): X509Certificate {
  const { notBefore, notAfter } = validityOf(next)
  const validity = { notBefore, notAfter: Math.min(notAfter, validityOf(by.certificate).notAfter) }
  const parts = { name: subjectOf(next), publicKey: next.publicKey, depth: 0, validity }
  return certifyAuthority(parts, subjectOf(by.certificate), by.key)
}

interface AuthorityParts {
  readonly name: string
  readonly publicKey: KeyObject
  /** How many further authorities may stand below it. */
  readonly depth: number
  readonly validity: Validity
}

function certifyAuthority(
  { name, publicKey, depth, validity }: AuthorityParts,
  issuer: string,
  issuerKey: KeyObject,
): X509Certificate {
  const extensions = [
    authorityConstraint(depth),
    mayCertify,
    ownKeyId(publicKey),
    issuerKeyId(createPublicKey(issuerKey)),
  ]
  return signCertificate({ subject: name, subjectKey: publicKey, issuer, validity, extensions }, issuerKey)
}

export function issueServer(
  authority: Certified,
  hosts: readonly string[],
  { now, life }: { now: number; life: number },
): Certified {
  return issueLeaf(authority, 'contextd server', [extendedUse(serverUse), hostNames(hosts)], { now, life })
}

export function issueCaller(
  authority: Certified,
  { kind, id }: CertificateSubject,
  { now, life }: { now: number; life: number },
): Certified {
  // Whoever asks has checked it already; what does not fit would stand for somebody else.
  if (!agentIdPattern.test(id)) throw new Error('no name for a certificate')
  const extensions = [extendedUse(clientUse), uriName(`${uriStart}${kind}/${id}`)]
  return issueLeaf(authority, `contextd ${kind}`, extensions, { now, life })
}

const uriStart = 'spiffe://contextd/'
const onlyUri = /^URI:spiffe:\/\/contextd\/(agent|operator)\/(.+)$/

/** Who it names: undefined unless one name of ours is all that stands there. */
export function callerNamed({ subjectAltName }: X509Certificate): CertificateSubject | undefined {
  const [, kind, id = ''] = onlyUri.exec(subjectAltName ?? '') ?? []
  if ((kind !== 'agent' && kind !== 'operator') || !agentIdPattern.test(id)) return undefined
  return { kind, id }
}

function issueLeaf(
  authority: Certified,
  subject: string,
  extensions: readonly Buffer[],
  { now, life }: { now: number; life: number },
): Certified {
  const problem = untimely(authority.certificate, now)
  if (problem !== undefined) throw new ContextdError('TLS_AUTHORITY_UNUSABLE', { problem })
  const { publicKey, privateKey } = newKeys()
  const ends = Math.min(now + life, validityOf(authority.certificate).notAfter)
  const certificate = signCertificate(
    {
      subject,
      subjectKey: publicKey,
      issuer: subjectOf(authority.certificate),
      validity: { notBefore: now - leeway, notAfter: ends },
      extensions: [
        noAuthority,
        maySign,
        ...extensions,
        ownKeyId(publicKey),
        issuerKeyId(authority.certificate.publicKey),
      ],
    },
    authority.key,
  )
  return { certificate, key: privateKey }
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}
