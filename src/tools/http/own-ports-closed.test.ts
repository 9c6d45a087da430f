import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'

import { expect, test } from 'vitest'

import { parseCapability } from '../../core/capability.ts'
import { ownPortReason } from '../../platform/own-ports.ts'
import { isInBlock, parseAddress, parseBlock } from './addresses.ts'
import { compileHostGrants, missingGrant } from './host-grants.ts'
import { exceptOwnPorts, localBlocks } from './own-ports-closed.ts'
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

/** As Linux writes them, of a tunnel without a link, a block routed to this machine, and networks of others. */
const fibTrie = `Main:
  +-- 0.0.0.0/1 2 0 2
     |-- 0.0.0.0
        /0 universe UNICAST
     |-- 10.77.0.0
        /24 link UNICAST
     |-- 10.77.0.1
        /32 host LOCAL
     |-- 10.77.0.255
        /32 link BROADCAST
     |-- 10.99.0.0
        /16 host LOCAL
`
const zeros = '0'.repeat(32)
const rest = (flags: string): string => `${zeros} 00 ${zeros} 00000000 00000002 00000000 ${flags}     eth0`
const sixRoutes = `fd000000000000000000000000000002 80 ${rest('80200001')}
fd000000000000000000000000000000 40 ${rest('00000001')}
`

test('addresses of this machine that only the kernel lists are its own', () => {
  const own = localBlocks(fibTrie, sixRoutes)
  expect(own).toEqual(['10.77.0.1', '10.99.0.0/16', 'fd00::2'].map((text) => parseBlock(text)))
  const withThem = exceptOwnPorts(
    granted,
    (port) => port === 7391,
    () => own,
  )
  const reason = (host: string): string | undefined => withThem.whyNot({ host: readHost(host)!, port: 7391 })
  expect(['10.77.0.1', '10.99.1.1', '[fd00::2]', '[::ffff:10.77.0.1]'].map(reason)).toEqual(
    Array(4).fill(ownPortReason),
  )
  expect(['10.77.0.2', '10.98.0.1', '[fd00::3]'].map(reason)).toEqual(Array(3).fill(undefined))
})

test.runIf(existsSync('/proc/net/fib_trie'))(
  'every address that Node lists is in the tables of the kernel',
  () => {
    const read = (name: string): string =>
      existsSync(`/proc/net/${name}`) ? readFileSync(`/proc/net/${name}`, 'utf8') : ''
    const own = localBlocks(read('fib_trie'), read('ipv6_route'))
    const isOwn = (text: string): boolean => own.some((block) => isInBlock(parseAddress(text)!, block))
    expect(ownAddresses.length).toBeGreaterThan(0)
    expect(ownAddresses.filter((address) => !isOwn(address))).toEqual([])
    expect(isOwn('198.51.100.7')).toBe(false)
  },
)

test('the same port of another machine is open', () => {
  expect(whyNot('other.example', 7391)).toBe(undefined)
  expect(whyNot('other.example', 7391, '198.51.100.7')).toBe(undefined)
})

test('no grant is proposed, and what was not granted says so first', () => {
  expect(missingGrant(ownPortReason, { host: readHost('127.0.0.1')!, port: 7391 })).toBe(undefined)
  expect(whyNot('elsewhere.example', 7391)).toBe('no grant covers this host')
})
