import { expect, test } from 'vitest'

import {
  callerInCertificate,
  createAuthority,
  crossSign,
  day,
  issueCaller,
  issueServer,
} from './authority.ts'
import { extendedUse, serialOf, signCertificate, uriName, validityOf } from './certificate.ts'
import { certificateHosts } from './host-names.ts'

const now = Date.UTC(2026, 10, 15, 12)
const authority = createAuthority(now)
const life = { now, life: day }

test('an authority is self-signed and valid for ten years', () => {
  const { certificate } = authority
  expect(certificate.subject).toMatch(/^CN=contextd CA [0-9a-f]{8}$/)
  expect([certificate.ca, certificate.checkIssued(certificate)]).toEqual([true, true])
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(new Date(validityOf(certificate).notAfter).getUTCFullYear()).toBe(2036)
  expect(certificate.verify(createAuthority(now).certificate.publicKey)).toBe(false)
})

test('a server certificate has host names and addresses, and is not an authority', () => {
  const hosts = ['build-1.example.org', '127.0.0.1', '::1', 'fe80::1:2']
  const { certificate, key } = issueServer(authority, hosts, life)
  expect(certificateHosts(certificate)).toEqual(hosts)
  expect([certificate.ca, certificate.checkPrivateKey(key)]).toEqual([false, true])
  expect(certificate.verify(authority.certificate.publicKey)).toBe(true)
  expect(callerInCertificate(certificate)).toBeUndefined()
})

test.each(['agent', 'operator'] as const)('an %s certificate has exactly one name', (kind) => {
  const { certificate } = issueCaller(authority, { kind, id: 'contextd:scan.2_b-1' }, life)
  expect(certificate.subjectAltName).toBe(`URI:spiffe://contextd/${kind}/contextd:scan.2_b-1`)
  expect(callerInCertificate(certificate)).toEqual({ kind, id: 'contextd:scan.2_b-1' })
  expect(serialOf(certificate)).toMatch(/^[4-7][0-9a-f]{15}$/)
  // Valid from a moment ago, because clocks differ slightly.
  expect(validityOf(certificate)).toEqual({ notBefore: now - 300_000, notAfter: now + day })
})

test.each(['', 'a/b', 'a,b', 'é', 'x, URI:spiffe://contextd/agent/main', 'a'.repeat(129), '@operator'])(
  'no certificate is issued for %j',
  (id) => {
    expect(() => issueCaller(authority, { kind: 'agent', id }, life)).toThrow('no name for a certificate')
  },
)

test.each([
  ['two names in one', ['spiffe://contextd/agent/a, URI:spiffe://contextd/agent/b']],
  ['another authority', ['spiffe://other/agent/a']],
  ['another kind', ['spiffe://contextd/server/a']],
  ['a suffix', ['spiffe://contextd/agent/a/b']],
  ['a query', ['spiffe://contextd/agent/a?b']],
  ['capitals in the scheme', ['SPIFFE://contextd/agent/a']],
  ['no name', ['spiffe://contextd/agent/']],
])('%s is not a valid name', (_, [uri = '']) => {
  expect(callerInCertificate(named(uri))).toBeUndefined()
  expect(callerInCertificate(named('spiffe://contextd/agent/a'))).toEqual({ kind: 'agent', id: 'a' })
})

function named(uri: string) {
  const { certificate, key } = authority
  return signCertificate(
    {
      subject: 'x',
      subjectKey: certificate.publicKey,
      issuer: 'y',
      validity: validityOf(certificate),
      extensions: [extendedUse('1.3.6.1.5.5.7.3.2'), uriName(uri)],
    },
    key,
  )
}

test('no certificate outlives the authority', () => {
  const { notAfter } = validityOf(authority.certificate)
  const late = issueServer(authority, ['localhost'], { now: notAfter - day, life: 30 * day })
  expect(validityOf(late.certificate).notAfter).toBe(notAfter)
})

test.each([
  ['has ended', 3653 * day, 'was valid until 2036-11-14T12:00:00.000Z; this machine'],
  ['has not begun', -day, 'is valid from 2026-11-15T11:55:00.000Z; this machine'],
])('an authority that %s issues nothing, and reports the clock', (_, shift, words) => {
  const issue = (at: number) => () => issueServer(authority, ['localhost'], { now: at, life: day })
  expect(issue(now + shift)).toThrow(words)
  expect(issue(now + shift)).toThrow(`clock says ${new Date(now + shift).toISOString()}`)
  expect(issue(now)).not.toThrow()
})

test('an authority can cross-sign the next one', () => {
  const next = createAuthority(now)
  const bridge = crossSign(next.certificate, authority)
  expect(bridge.checkIssued(authority.certificate)).toBe(true)
  expect(bridge.verify(authority.certificate.publicKey)).toBe(true)
  const leaf = issueServer(next, ['localhost'], life).certificate
  expect([leaf.checkIssued(bridge), leaf.verify(bridge.publicKey)]).toEqual([true, true])
})
