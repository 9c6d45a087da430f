/** X.509 version 3 with P-256 keys: creates certificates, and reads the fields we need. */

import { createHash, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'

import { ipv6Bytes } from './host-names.ts'
import { bits, der, integer, octets, oid, sequence, set, text, time, yes } from './der.ts'

/** Epoch milliseconds. */
export interface Validity {
  readonly notBefore: number
  readonly notAfter: number
}

export interface CertificateParts {
  readonly subject: string
  readonly subjectKey: KeyObject
  readonly issuer: string
  readonly validity: Validity
  readonly extensions: readonly Buffer[]
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
const serialBytes = 8

export function signCertificate(parts: CertificateParts, issuerKey: KeyObject): X509Certificate {
  const serial = randomBytes(serialBytes)
  // Fixed length and never negative, so that its text form is unambiguous.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const body = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(serial),
    ecdsaWithSha256,
    commonName(parts.issuer),
    sequence(time(parts.validity.notBefore), time(parts.validity.notAfter)),
    commonName(parts.subject),
    parts.subjectKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...parts.extensions)),
  )
  return new X509Certificate(sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuerKey))))
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), text(name))))
}

function extension(id: string, value: Uint8Array, { critical = false } = {}): Buffer {
  return sequence(oid(id), ...(critical ? [yes] : []), octets(value))
}

/** An authority with at most `depth` levels of authorities below it. */
export function authorityConstraint(depth: number): Buffer {
  return extension('2.5.29.19', sequence(yes, integer(Buffer.of(depth))), { critical: true })
}

export const notAuthority: Buffer = extension('2.5.29.19', sequence(), { critical: true })

export const mayCertify: Buffer = extension('2.5.29.15', bits(Buffer.of(0b0000_0110), 1), { critical: true })
export const maySign: Buffer = extension('2.5.29.15', bits(Buffer.of(0b1000_0000), 7), { critical: true })

export const serverUse = '1.3.6.1.5.5.7.3.1'
export const clientUse = '1.3.6.1.5.5.7.3.2'

export function extendedUse(use: string): Buffer {
  return extension('2.5.29.37', sequence(oid(use)))
}

export function ownKeyId(key: KeyObject): Buffer {
  return extension('2.5.29.14', octets(keyId(key)))
}

export function issuerKeyId(key: KeyObject): Buffer {
  return extension('2.5.29.35', sequence(der(0x80, keyId(key))))
}

/** The DER of a P-256 key ends with the uncompressed point. */
const pointBytes = 65

export function keyId(key: KeyObject): Buffer {
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-pointBytes)
  return createHash('sha256').update(point).digest().subarray(0, 20)
}

/** Host names and addresses. */
export function hostNames(hosts: readonly string[]): Buffer {
  return extension('2.5.29.17', sequence(...hosts.map(hostName)))
}

function hostName(host: string): Buffer {
  if (isIPv4(host)) return der(0x87, Buffer.from(host.split('.').map(Number)))
  return isIPv6(host) ? der(0x87, ipv6Bytes(host)) : der(0x82, Buffer.from(host, 'ascii'))
}

export function uriName(uri: string): Buffer {
  return extension('2.5.29.17', sequence(der(0x86, Buffer.from(uri, 'ascii'))))
}

/** As in the table and in lists. */
export function serialOf({ serialNumber }: X509Certificate): string {
  return serialNumber.toLowerCase()
}

/** SHA-256, 64 lowercase hex digits. */
export function certificateFingerprint({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(':', '').toLowerCase()
}

export function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) }
}

/** The common name of a subject that we issued. */
export function subjectOf({ subject }: X509Certificate): string {
  return subject.replace(/^CN=/, '')
}

/**
 * Why the certificate is not valid at this time; undefined if it is. Includes our clock's time, because that may be
 * what is wrong.
 */
export function validityProblem(certificate: X509Certificate, now: number): string | undefined {
  const { notBefore, notAfter } = validityOf(certificate)
  const clock = `this machine's clock says ${isoTime(now)}`
  if (now < notBefore) return `is valid from ${isoTime(notBefore)}; ${clock}`
  if (now > notAfter) return `was valid until ${isoTime(notAfter)}; ${clock}`
  return undefined
}

export function isoTime(at: number): string {
  return new Date(at).toISOString()
}
