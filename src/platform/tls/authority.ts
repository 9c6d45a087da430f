/** Our own certificate authority and the certificates it issues. Pure except for key generation. */

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
  notAuthority,
  ownKeyId,
  serverUse,
  signCertificate,
  subjectOf,
  validityProblem,
  uriName,
  validityOf,
  type Validity,
} from './certificate.ts'

/** A certificate with its private key. */
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
/** Tolerance for clock differences between machines. */
const clockTolerance = hour / 12

export function createAuthority(now: number): Certified {
  const { publicKey, privateKey } = newKeys()
  const name = `contextd CA ${keyId(publicKey).toString('hex').slice(0, 8)}`
  const validity = { notBefore: now - clockTolerance, notAfter: now + authorityLife }
  const certificate = certifyAuthority({ name, publicKey, depth: 1, validity }, name, privateKey)
  return { certificate, key: privateKey }
}

/**
 * A cross-signed certificate of the next authority: clients that know only this authority then accept what the next
 * one issues.
 */
export function crossSign(next: X509Certificate, by: Certified): X509Certificate {
  const { notBefore, notAfter } = validityOf(next)
  const validity = { notBefore, notAfter: Math.min(notAfter, validityOf(by.certificate).notAfter) }
  const parts = { name: subjectOf(next), publicKey: next.publicKey, depth: 0, validity }
  return certifyAuthority(parts, subjectOf(by.certificate), by.key)
}

interface AuthorityParts {
  readonly name: string
  readonly publicKey: KeyObject
  /** How many levels of authorities may follow. */
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
  // Callers have already validated it; an invalid id could be read as another name.
  if (!agentIdPattern.test(id)) throw new Error('no name for a certificate')
  const extensions = [extendedUse(clientUse), uriName(`${uriStart}${kind}/${id}`)]
  return issueLeaf(authority, `contextd ${kind}`, extensions, { now, life })
}

const uriStart = 'spiffe://contextd/'
const callerUri = /^URI:spiffe:\/\/contextd\/(agent|operator)\/(.+)$/

/** The caller that a certificate names; undefined unless it contains exactly one contextd name. */
export function callerInCertificate({ subjectAltName }: X509Certificate): CertificateSubject | undefined {
  const [, kind, id = ''] = callerUri.exec(subjectAltName ?? '') ?? []
  if ((kind !== 'agent' && kind !== 'operator') || !agentIdPattern.test(id)) return undefined
  return { kind, id }
}

function issueLeaf(
  authority: Certified,
  subject: string,
  extensions: readonly Buffer[],
  { now, life }: { now: number; life: number },
): Certified {
  const problem = validityProblem(authority.certificate, now)
  if (problem !== undefined) throw new ContextdError('TLS_AUTHORITY_UNUSABLE', { problem })
  const { publicKey, privateKey } = newKeys()
  const ends = Math.min(now + life, validityOf(authority.certificate).notAfter)
  const certificate = signCertificate(
    {
      subject,
      subjectKey: publicKey,
      issuer: subjectOf(authority.certificate),
      validity: { notBefore: now - clockTolerance, notAfter: ends },
      extensions: [
        notAuthority,
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
