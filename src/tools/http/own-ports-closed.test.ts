import { networkInterfaces } from 'node:os'

import { expect, test } from 'vitest'

import { parseCapability } from '../../core/capability.ts'
import { ownPortReason } from '../../platform/own-ports.ts'
import { parseAddress } from './addresses.ts'
import { compileHostGrants, missingGrant } from './host-grants.ts'
import { exceptOwnPorts } from './own-ports-closed.ts'
import { readHost } from './target.ts'

const granted = compileHostGrants(
  ['127.0.0.0/8', 'localhost', '0.0.0.0/0', '[::]/0', 'own.example', 'other.example'].flatMap((host) =>
    [7391, 8080].map((port) => parseCapability(`http:fetch:${host}:${port}`)!),
  ),
)
const grants = exceptOwnPorts(granted, (port) => port === 7391)

const whyNot = (host: string, port: number, address?: string): string | undefined =>
  grants.whyNot({ host: readHost(host)!, port }, address === undefined ? undefined : parseAddress(address))

const ownAddresses = Object.values(networkInterfaces())
  .flat()
  .flatMap((one) => (one === undefined || one.address.includes('%') ? [] : one.address))

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '127.9.9.9',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  ...ownAddresses.map((address) => (address.includes(':') ? `[${address}]` : address)),
])('a grant of %s does not open a port of contextd, but any other', (host) => {
  expect([whyNot(host, 7391), whyNot(host, 8080)]).toEqual([ownPortReason, undefined])
})

test('neither does a name that resolves to this machine', () => {
  for (const name of ['localhost', 'own.example']) {
    expect([name, whyNot(name, 7391, '127.0.0.1')]).toEqual([name, ownPortReason])
    expect([name, whyNot(name, 8080, '127.0.0.1')]).toEqual([name, undefined])
  }
})

test('the same port of another machine is open', () => {
  expect(whyNot('other.example', 7391)).toBe(undefined)
  expect(whyNot('other.example', 7391, '198.51.100.7')).toBe(undefined)
})

test('no grant is proposed, and what was not granted says so first', () => {
  expect(missingGrant(ownPortReason, { host: readHost('127.0.0.1')!, port: 7391 })).toBe(undefined)
  expect(whyNot('elsewhere.example', 7391)).toBe('no grant covers this host')
})
