import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  hostHeader,
  isSameOrigin,
  readAuthority,
  readHost,
  readTarget,
  type RequestTarget,
} from './target.ts'

const target = (text: string): RequestTarget => {
  const found = readTarget(text)
  if (typeof found === 'string') throw new Error(found)
  return found
}

describe('hosts', () => {
  test.each([
    ['EXAMPLE.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ｅxample。com', 'example.com'],
    ['%6c%6fcalhost', 'localhost'],
    ['exa%6Dple.com', 'example.com'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['my_host', 'my_host'],
  ])('%s is %s', (text, name) => {
    expect(readHost(text)?.name).toBe(name)
    expect(target(`http://${text}/`).host.name).toBe(name)
  })

  test.each([
    '',
    '.',
    'a..b',
    'example.com..',
    'a b',
    'user@host',
    'host/path',
    'host\\path',
    'host:80',
    '::1',
    '[::1]x',
    '[fe80::1%25eth0]',
    '256.1.1.1',
    '1.2.3.4.5',
    'exa%00mple.com',
    'a%2fb',
    'a\tb',
    'x'.repeat(64),
    `${'a.'.repeat(130)}com`,
    "a'b",
    'a*b',
  ])('%j is none', (text) => expect(readHost(text)).toBeUndefined())
})

describe('addresses of the web', () => {
  test('are split as they are sent', () => {
    expect(target('HTTPS://Example.com:443/a b'.replace(' ', '%20') + '?q=1#part')).toEqual({
      secure: true,
      host: { name: 'example.com' },
      port: 443,
      path: '/a%20b?q=1',
      url: 'https://example.com/a%20b?q=1',
    })
    expect(target('http://example.com:8080')).toMatchObject({ secure: false, port: 8080, path: '/' })
    expect(target('https:\\\\example.com\\a').url).toBe('https://example.com/a')
    expect(target('http://[::1]:8080/').url).toBe('http://[::1]:8080/')
  })

  test.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:1',
    'example.com',
    '//example.com/',
    'http://',
    'http://user@example.com/',
    'http://user:pass@example.com/',
    'http://@example.com/',
    'http:@example.com/',
    'http://example.com@127.0.0.1/',
    'http://example.com\t/',
    ' http://example.com/',
    'http://example.com/\r\nHost: other',
    'http://example.com:0/',
    'http://example.com:99999/',
    'http://exa mple.com/',
    'http://a..b/',
  ])('%j is refused in words', (text) => expect(typeof readTarget(text)).toBe('string'))

  test('an @ behind the host is no user', () => {
    expect(target('http://example.com/@types/node?a@b').path).toBe('/@types/node?a@b')
  })

  test('whatever comes, a refusal repeats nothing of it and a target has a clean host', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `http://${text}`),
        ),
        (text) => {
          const found = readTarget(text)
          if (typeof found === 'string') expect(found).toMatch(/^[\w ,;]+$/)
          else expect(found.host.name).toMatch(/^[a-z0-9_.:-]+$/)
        },
      ),
      { numRuns: 1000 },
    )
  })
})

test('a CONNECT request names a host and a port, and nothing else', () => {
  expect(readAuthority('Example.com:443')).toEqual({ host: { name: 'example.com' }, port: 443 })
  expect(readAuthority('[::1]:8443')?.host.name).toBe('::1')
  for (const text of [
    'example.com',
    'example.com:',
    ':443',
    'a@b:443',
    '::1:443',
    'a:0',
    'a:65536',
    'a:443/x',
  ]) {
    expect([text, readAuthority(text)]).toEqual([text, undefined])
  }
})

test('the port everyone knows is not said', () => {
  expect(hostHeader(target('http://example.com:80/'))).toBe('example.com')
  expect(hostHeader(target('http://example.com:443/'))).toBe('example.com:443')
  expect(hostHeader(target('https://[::1]:8443/'))).toBe('[::1]:8443')
})

test('an origin is scheme, host and port', () => {
  const one = target('https://example.com/a')
  expect(isSameOrigin(one, target('https://EXAMPLE.com:443/b'))).toBe(true)
  for (const other of ['http://example.com/', 'https://example.com:444/', 'https://www.example.com/']) {
    expect(isSameOrigin(one, target(other))).toBe(false)
  }
})
