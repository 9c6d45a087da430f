import { expect, test } from 'vitest'

import { makeTlsPlace } from '../../../test/support/tls-place.ts'
import { day, hour } from './authority.ts'
import { certificateFingerprint, serialOf, validityOf } from './certificate.ts'
import {
  certifyCaller,
  finishRotation,
  isRenewalDue,
  renewServer,
  setUpTls,
  startRotation,
  requireTlsFolder,
} from './changes.ts'
import { certificateHosts } from './host-names.ts'
import { issuedCertificates } from './issued.ts'

const agent = { kind: 'agent', id: 'main' } as const

test('nothing can be issued before the setup', () => {
  const place = makeTlsPlace({ setUp: false })
  expect(() => certifyCaller(place, agent, day)).toThrow(expect.objectContaining({ code: 'TLS_NOT_SET_UP' }))
  setUpTls(place, ['localhost'])
  expect(certifyCaller(place, agent, day).certificate.ca).toBe(false)
})

test('issued certificates are recorded without their keys', () => {
  const place = makeTlsPlace()
  const { certificate, authority } = certifyCaller(place, agent, day)
  const issued = issuedCertificates(place.store, place.tenant, place.clock)
  expect(issued.list().map(({ kind, name }) => [kind, name])).toEqual([
    ['server', 'localhost'],
    ['agent', 'main'],
  ])
  expect(issued.find(serialOf(certificate))).toEqual({
    serial: serialOf(certificate),
    kind: 'agent',
    name: 'main',
    fingerprint: certificateFingerprint(certificate),
    authority: certificateFingerprint(authority.certificate),
    ...validityOf(certificate),
    createdAt: expect.any(Number),
  })
  expect(JSON.stringify(place.store.rows('certificates', { tenant: place.tenant }).all())).not.toContain(
    'KEY',
  )
})

test('a certificate can be revoked once', () => {
  const place = makeTlsPlace()
  const serial = serialOf(certifyCaller(place, agent, day).certificate)
  const issued = issuedCertificates(place.store, place.tenant, place.clock)
  expect(issued.liveCallers()).toHaveLength(1)
  expect([issued.revoke('00'), issued.revoke(serial), issued.revoke(serial)]).toEqual([false, true, false])
  expect(issued.liveCallers()).toHaveLength(0)
})

test('records of long expired certificates are deleted', () => {
  const place = makeTlsPlace()
  certifyCaller(place, agent, day)
  const issued = issuedCertificates(place.store, place.tenant, place.clock)
  place.pass(80 * day)
  certifyCaller(place, agent, day)
  expect(issued.list()).toHaveLength(3)
  place.pass(50 * day)
  certifyCaller(place, agent, day)
  expect(issued.list().map(({ kind }) => kind)).toEqual(['agent', 'agent'])
})

test('a server certificate is renewed ten days before it expires, with the same hosts', () => {
  const place = makeTlsPlace()
  const isDue = (): boolean => isRenewalDue(requireTlsFolder(place.folder), place.clock())
  place.pass(20 * day - hour)
  expect(isDue()).toBe(false)
  place.pass(2 * hour)
  expect(isDue()).toBe(true)
  const hosts = certificateHosts(requireTlsFolder(place.folder).server.certificate)
  renewServer(place)
  expect([isDue(), certificateHosts(requireTlsFolder(place.folder).server.certificate)]).toEqual([
    false,
    hosts,
  ])
})

test('a server certificate is renewed if it is not valid yet because the clock was ahead', () => {
  const place = makeTlsPlace()
  place.pass(400 * day)
  renewServer(place)
  place.pass(-399 * day)
  expect(isRenewalDue(requireTlsFolder(place.folder), place.clock())).toBe(true)
})

test.each([
  ['shortly before the authority expires', 3652 * day - hour],
  ['after the authority expired', 3700 * day],
  ['if the clock is before the start of the authority', -day],
])('no new certificate is issued %s', (_, shift) => {
  const place = makeTlsPlace()
  place.pass(3652 * day - 2 * day)
  renewServer(place)
  place.pass(-(3652 * day - 2 * day) + shift)
  expect(isRenewalDue(requireTlsFolder(place.folder), place.clock())).toBe(false)
})

test('finishing a rotation revokes only what the old authority issued', () => {
  const place = makeTlsPlace()
  const before = certifyCaller(place, agent, day)
  startRotation(place)
  const after = certifyCaller(place, agent, day)
  const issued = issuedCertificates(place.store, place.tenant, place.clock)
  expect(issued.liveCallers()).toHaveLength(2)
  expect(finishRotation(place)).toBe(1)
  expect(issued.liveCallers().map(({ serial }) => serial)).toEqual([serialOf(after.certificate)])
  expect(issued.find(serialOf(before.certificate))?.revokedAt).toBeDefined()
})
