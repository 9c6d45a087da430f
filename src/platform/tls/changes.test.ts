import { expect, test } from 'vitest'

import { makeTlsPlace } from '../../../test/support/tls-place.ts'
import { day, hour } from './authority.ts'
import { certificateFingerprint, serialOf, validityOf } from './certificate.ts'
import {
  certifyCaller,
  finishRotation,
  isServerDue,
  renewServer,
  setUpTls,
  startRotation,
  wholeFolder,
} from './changes.ts'
import { hostsNamed } from './host-names.ts'
import { issuedCertificates } from './issued.ts'

const agent = { kind: 'agent', id: 'main' } as const

test('without a set-up nothing can be issued', () => {
  const place = makeTlsPlace({ setUp: false })
  expect(() => certifyCaller(place, agent, day)).toThrow(expect.objectContaining({ code: 'TLS_NOT_SET_UP' }))
  setUpTls(place, ['localhost'])
  expect(certifyCaller(place, agent, day).certificate.ca).toBe(false)
})

test('what is issued is on record, without its key', () => {
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

test('a certificate is revoked once, and is then no live one', () => {
  const place = makeTlsPlace()
  const serial = serialOf(certifyCaller(place, agent, day).certificate)
  const issued = issuedCertificates(place.store, place.tenant, place.clock)
  expect(issued.liveCallers()).toHaveLength(1)
  expect([issued.revoke('00'), issued.revoke(serial), issued.revoke(serial)]).toEqual([false, true, false])
  expect(issued.liveCallers()).toHaveLength(0)
})

test('rows of what ended long ago go', () => {
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

test('a server is due ten days before its end, and has its hosts again', () => {
  const place = makeTlsPlace()
  const isDue = (): boolean => isServerDue(wholeFolder(place.folder), place.clock())
  place.pass(20 * day - hour)
  expect(isDue()).toBe(false)
  place.pass(2 * hour)
  expect(isDue()).toBe(true)
  const hosts = hostsNamed(wholeFolder(place.folder).server.certificate)
  renewServer(place)
  expect([isDue(), hostsNamed(wholeFolder(place.folder).server.certificate)]).toEqual([false, hosts])
})

test('a server is due where the clock was once ahead of the right time', () => {
  const place = makeTlsPlace()
  place.pass(400 * day)
  renewServer(place)
  place.pass(-399 * day)
  expect(isServerDue(wholeFolder(place.folder), place.clock())).toBe(true)
})

test.each([
  ['near the end of the authority, which nothing outlives', 3652 * day - hour],
  ['after the end of the authority', 3700 * day],
  ['where the clock is behind the authority', -day],
])('no new certificate is made %s', (_, shift) => {
  const place = makeTlsPlace()
  place.pass(3652 * day - 2 * day)
  renewServer(place)
  place.pass(-(3652 * day - 2 * day) + shift)
  expect(isServerDue(wholeFolder(place.folder), place.clock())).toBe(false)
})

test('finishing a rotation ends what the old authority issued, and nothing else', () => {
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
