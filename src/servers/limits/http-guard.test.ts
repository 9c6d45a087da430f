import { describe, expect, test } from 'vitest'

import {
  allowedNames,
  assertListenable,
  bearerOf,
  checkOrigin,
  isLoopbackHost,
  isLoopbackPeer,
} from './http-guard.ts'

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
  ['127.0.0.1.example.com', false],
])('%s is loopback: %s', (host, is) => {
  expect(isLoopbackHost(host)).toBe(is)
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::FFFF:127.9.9.9', true],
  ['192.168.1.5', false],
  ['::ffff:192.168.1.5', false],
  ['2001:db8::1', false],
  ['fe80::1', false],
  ['', false],
  [undefined, false],
])('a peer at %s is on this machine: %s', (address, is) => {
  expect(isLoopbackPeer(address)).toBe(is)
})

test('requires a token if other machines can connect', () => {
  expect(() => assertListenable('0.0.0.0', false)).toThrow(/no agent token/)
  expect(() => assertListenable('0.0.0.0', true)).not.toThrow()
  expect(() => assertListenable('127.0.0.1', false)).not.toThrow()
})

describe('Host and Origin', () => {
  const names = allowedNames('127.0.0.1', ['ctx.example.org'])
  test.each([
    [{ host: '127.0.0.1:7391' }],
    [{ host: 'localhost' }],
    [{ host: '[::1]:7391' }],
    [{ host: 'ctx.example.org' }],
    [{ host: 'localhost:1', origin: 'http://localhost:5173' }],
  ])('%o is accepted', (headers) => {
    expect(checkOrigin(headers, names)).toBeUndefined()
  })
  test.each([
    [{}],
    [{ host: 'evil.example.com' }],
    [{ host: '127.0.0.1.evil.example.com' }],
    [{ host: 'localhost:1', origin: 'http://evil.example.com' }],
    [{ host: 'localhost:1', origin: 'null' }],
  ])('%o is refused', (headers) => {
    expect(checkOrigin(headers, names)).toMatchObject({ code: 'FORBIDDEN_ORIGIN' })
  })
})

test('accepts the listen address as host name, unless it is a wildcard', () => {
  expect(allowedNames('10.0.0.5', [])).toContain('10.0.0.5')
  expect(allowedNames('fd00::5', [])).toContain('[fd00::5]')
  expect(allowedNames('0.0.0.0', [])).not.toContain('0.0.0.0')
})

test.each([
  ['Bearer abc', 'abc'],
  ['bearer  abc', 'abc'],
  ['Bearer', undefined],
  ['Bearer a b', undefined],
  ['Basic abc', undefined],
  [undefined, undefined],
])('the token of %s is %s', (authorization, token) => {
  expect(bearerOf(authorization === undefined ? {} : { authorization })).toBe(token)
})
