import { expect, test } from 'vitest'

import { ipv6Bytes, plainHost } from './host-names.ts'

test.each([
  ['localhost', 'localhost'],
  ['Build-1.Example.ORG', 'build-1.example.org'],
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['FE80:0:0:0:0:0:1:2', 'fe80::1:2'],
  ['::ffff:10.0.0.1', '::ffff:a00:1'],
])('%s is a valid host', (given, host) => {
  expect(plainHost(given)).toBe(host)
})

test.each([
  '',
  'a b',
  'host:7392',
  'https://host',
  '*.example.org',
  '-a',
  'a..b',
  'ä.example',
  'x, DNS:y',
  'fe80::1%eth0',
  'a'.repeat(64),
])('%s is not a valid host', (given) => {
  expect(plainHost(given)).toBeUndefined()
})

test.each([
  ['::', '00'.repeat(16)],
  ['::1', `${'00'.repeat(15)}01`],
  ['fe80::1:2', 'fe800000000000000000000000010002'],
  ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
])('the bytes of %s', (address, bytes) => {
  expect(ipv6Bytes(address).toString('hex')).toBe(bytes)
})
