import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseCapability, type Capability } from '../../core/capability.ts'
import { parseAddress } from './addresses.ts'
import { compileHostGrants, describeGrant } from './host-grants.ts'
import { parseHostScope } from './host-scope.ts'
import { readHost } from './target.ts'

const grant = (text: string, ...except: string[]): Capability => ({
  ...parseCapability(text)!,
  ...(except.length > 0 && { except }),
})

/** Whether `GET host:port` may be sent, by name; `null` for a method nobody can see. */
function allows(
  grants: readonly (string | Capability)[],
  hostAndPort: string,
  method: string | null = 'GET',
  address?: string,
): boolean {
  const compiled = compileHostGrants(grants.map((one) => (typeof one === 'string' ? grant(one) : one)))
  const [, name = '', port = '443'] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(hostAndPort) ?? []
  const destination = { host: readHost(name)!, port: Number(port), ...(method !== null && { method }) }
  return (
    compiled.whyNot(destination, address === undefined ? undefined : parseAddress(address)!) === undefined
  )
}

describe('by name', () => {
  test('nothing is granted by default', () => {
    expect(allows([], 'example.com')).toBe(false)
    expect(allows(['shell:exec', 'fs:read:**'], 'example.com')).toBe(false)
  })

  test('a name is that name and no other', () => {
    expect(allows(['http:fetch:example.com'], 'example.com')).toBe(true)
    expect(allows(['http:fetch:Example.COM.'], 'EXAMPLE.com.')).toBe(true)
    expect(allows(['http:fetch:bücher.example'], 'xn--bcher-kva.example')).toBe(true)
    for (const other of ['www.example.com', 'example.com.evil.net', 'xexample.com', 'example.co', 'com']) {
      expect([other, allows(['http:fetch:example.com'], other)]).toEqual([other, false])
    }
  })

  test('*.example.com is every name below it, not itself', () => {
    const grants = ['http:fetch:*.example.com']
    expect(allows(grants, 'www.example.com')).toBe(true)
    expect(allows(grants, 'a.b.example.com')).toBe(true)
    expect(allows(grants, 'example.com')).toBe(false)
    expect(allows(grants, 'evilexample.com')).toBe(false)
    expect(allows(grants, 'www.example.com.evil.net')).toBe(false)
  })

  test('without a scope, or with *, every host', () => {
    for (const text of ['http:fetch', 'http:fetch:*']) {
      expect(allows([text], 'anything.example')).toBe(true)
      expect(allows([text], '93.184.216.34')).toBe(true)
      expect(allows([text], '127.0.0.1')).toBe(false)
    }
  })

  test('without a port, 80 and 443', () => {
    expect(allows(['http:fetch:example.com'], 'example.com:80')).toBe(true)
    expect(allows(['http:fetch:example.com'], 'example.com:8080')).toBe(false)
    expect(allows(['http:fetch:example.com:8080'], 'example.com:8080')).toBe(true)
    expect(allows(['http:fetch:example.com:8080'], 'example.com:443')).toBe(false)
    expect(allows(['http:fetch:*:8080'], 'example.com:8080')).toBe(true)
  })

  test('with methods, those only, and no tunnel', () => {
    const grants = ['http:fetch:get,HEAD@example.com']
    expect(allows(grants, 'example.com', 'GET')).toBe(true)
    expect(allows(grants, 'example.com', 'HEAD')).toBe(true)
    expect(allows(grants, 'example.com', 'POST')).toBe(false)
    expect(allows(grants, 'example.com', null)).toBe(false)
    expect(allows(['http:fetch:CONNECT@example.com'], 'example.com', null)).toBe(false)
    expect(allows(['http:fetch:example.com'], 'example.com', null)).toBe(true)
  })

  test('an address or a block covers addresses only', () => {
    expect(allows(['http:fetch:93.184.216.34'], '93.184.216.34')).toBe(true)
    expect(allows(['http:fetch:93.184.216.0/24'], '93.184.216.34')).toBe(true)
    expect(allows(['http:fetch:93.184.216.0/24'], '93.184.217.34')).toBe(false)
    expect(allows(['http:fetch:93.184.216.34'], 'example.com')).toBe(false)
    expect(allows(['http:fetch:[2606:4700::]/32:8443'], '[2606:4700::1]:8443')).toBe(true)
    expect(allows(['http:fetch:*.34'], '93.184.216.34')).toBe(false)
  })
})

describe('by address', () => {
  const named = 'http:fetch:internal.example'

  test('a public address needs nothing but the name', () => {
    expect(allows([named], 'internal.example', 'GET', '93.184.216.34')).toBe(true)
    expect(allows(['http:fetch'], 'other.example', 'GET', '2606:4700::1')).toBe(true)
  })

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    'fe80::1',
    '::ffff:93.184.216.34',
    '64:ff9b::93.184.216.34',
    '2002:5db8:d822::1',
  ])('%s must be named by its number as well', (address) => {
    const host = address.includes(':') ? `[${address}]` : address
    for (const wide of ['http:fetch', 'http:fetch:*', named, 'http:fetch:*.example']) {
      expect(allows([wide], 'internal.example', 'GET', address)).toBe(false)
      expect(allows([wide], host)).toBe(false)
    }
    expect(allows([named, `http:fetch:${host}`], 'internal.example', 'GET', address)).toBe(true)
    expect(allows([named, `http:fetch:${host}:8080`], 'internal.example', 'GET', address)).toBe(false)
    expect(allows([named, `http:fetch:POST@${host}`], 'internal.example', 'GET', address)).toBe(false)
    expect(allows([`http:fetch:${host}`], 'internal.example', 'GET', address)).toBe(false)
    expect(allows([`http:fetch:${host}`], host)).toBe(true)
  })

  test('a block names what is in it', () => {
    const grants = [named, 'http:fetch:10.0.0.0/8']
    expect(allows(grants, 'internal.example', 'GET', '10.9.8.7')).toBe(true)
    expect(allows(grants, 'internal.example', 'GET', '11.0.0.1')).toBe(true)
    expect(allows(grants, 'internal.example', 'GET', '192.168.0.1')).toBe(false)
    expect(allows(grants, 'internal.example', 'GET', '::ffff:10.0.0.1')).toBe(false)
  })

  test('localhost matches 127.0.0.1 and ::1', () => {
    const grants = ['http:fetch:localhost:3000']
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', '2130706433:3000']) {
      expect([host, allows(grants, host)]).toEqual([host, true])
    }
    expect(allows(grants, 'localhost:3000', 'GET', '127.0.0.1')).toBe(true)
    expect(allows(grants, 'localhost:3000', 'GET', '::1')).toBe(true)
    expect(allows(grants, 'localhost:3000', 'GET', '127.0.0.2')).toBe(false)
    expect(allows(grants, '127.0.0.2:3000')).toBe(false)
    expect(allows(grants, 'localhost:3001')).toBe(false)
    expect(allows(grants, 'www.localhost:3000')).toBe(false)
  })
})

describe('exceptions', () => {
  test('win, on every port and for every method unless they say which', () => {
    const grants = [
      grant('http:fetch:*.example.com', 'evil.example.com'),
      grant('http:fetch:*:8080', 'a.org'),
    ]
    expect(allows(grants, 'www.example.com')).toBe(true)
    expect(allows(grants, 'evil.example.com')).toBe(false)
    expect(allows(grants, 'b.org:8080')).toBe(true)
    expect(allows(grants, 'a.org:8080')).toBe(false)
  })

  test('of one method close the tunnel too', () => {
    const grants = [grant('http:fetch:*.example.com', 'DELETE@*.example.com')]
    expect(allows(grants, 'www.example.com', 'GET')).toBe(true)
    expect(allows(grants, 'www.example.com', 'DELETE')).toBe(false)
    expect(allows(grants, 'www.example.com', null)).toBe(false)
  })

  test('of an address hold for every name that leads to it, however it is wrapped', () => {
    const grants = [
      grant('http:fetch:*', '93.184.216.0/24'),
      grant('http:fetch:[64:ff9b::]/96', '93.184.216.0/24'),
    ]
    expect(allows(grants, 'example.com', 'GET', '93.184.215.1')).toBe(true)
    expect(allows(grants, 'example.com', 'GET', '93.184.216.1')).toBe(false)
    expect(allows(grants, '93.184.216.1')).toBe(false)
    expect(allows(grants, 'example.com', 'GET', '64:ff9b::93.184.215.1')).toBe(true)
    expect(allows(grants, 'example.com', 'GET', '64:ff9b::93.184.216.1')).toBe(false)
  })

  test('an exclusion that cannot be parsed voids the whole grant', () => {
    expect(allows([grant('http:fetch:*', 'ev il.com')], 'example.com')).toBe(false)
  })

  test('never add to what is granted', () => {
    const scopes = [
      '*',
      'a.example',
      '*.example',
      '10.0.0.0/8',
      'GET@a.example',
      'localhost',
      'a.example:8080',
    ]
    const hosts = ['a.example', 'b.example', 'example', '10.0.0.1', '127.0.0.1', 'a.example:8080']
    const methods = ['GET', 'POST', null]
    const addresses = [undefined, '10.0.0.1', '127.0.0.1', '93.184.216.34']
    fc.assert(
      fc.property(
        fc.subarray(scopes),
        fc.subarray(scopes),
        fc.constantFrom(...hosts),
        fc.constantFrom(...methods),
        fc.constantFrom(...addresses),
        (granted, except, host, method, address) => {
          const plain = granted.map((scope) => grant(`http:fetch:${scope}`))
          const cut = granted.map((scope) => grant(`http:fetch:${scope}`, ...except))
          const of = /^\d/.test(host) ? undefined : address
          if (allows(cut, host, method, of)) expect(allows(plain, host, method, of)).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('scopes that cannot be parsed', () => {
  test.each([
    '',
    ' ',
    '@example.com',
    'GET@',
    'GET,@example.com',
    'G3T@example.com',
    'user:pass@example.com',
    'https://example.com',
    'example.com/path',
    'example.com:0',
    'example.com:99999',
    'example.com:',
    'example.com:443:444',
    '*example.com',
    'a.*.com',
    '**',
    '*.*',
    '*.',
    '*.127.0.0.1',
    '::1',
    '[::1',
    '[10.0.0.0]/8',
    'fd00::/8',
    '10.0.0.1/8',
    '10.0.0.0/33',
    'exa mple.com',
  ])('%j grants nothing', (scope) => {
    expect(parseHostScope(scope)).toBeUndefined()
    const host = { name: 'example.com' }
    const grants = compileHostGrants([{ kind: 'http:fetch', scope }])
    expect(grants.whyNot({ method: 'GET', host, port: 443 })).toBeDefined()
  })
})

test('a grant is said in plain words', () => {
  const said = (text: string, ...except: string[]): string => describeGrant(grant(text, ...except))
  expect(said('http:fetch')).toBe('reach any public host on ports 80 and 443')
  expect(said('http:fetch:API.example.com')).toBe('reach api.example.com on ports 80 and 443')
  expect(said('http:fetch:GET,POST@*.example.com:8443', 'DELETE@x.example.com:1')).toBe(
    'reach every host below example.com on port 8443 with GET and POST, but not x.example.com on port 1 with DELETE',
  )
  expect(said('http:fetch:10.0.0.0/8')).toBe('reach the addresses 10.0.0.0/8 on ports 80 and 443')
  expect(said('http:fetch:[::1]:8080')).toBe('reach the address [::1] on port 8080')
  expect(said('http:fetch:\u001b[2Jevil')).toBe('reach no host: the grant is invalid')
})

describe('a request that asks for more than its method', () => {
  const asks = (grants: readonly Capability[], ...otherMethods: string[]): string | undefined =>
    compileHostGrants(grants).whyNot({
      method: 'GET',
      otherMethods,
      host: readHost('example.com')!,
      port: 443,
    })

  test('needs a grant for all of it', () => {
    const reading = [grant('http:fetch:GET@example.com')]
    expect(asks(reading)).toBeUndefined()
    expect(asks(reading, 'POST')).toContain('a body')
    expect(asks([grant('http:fetch:GET,POST@example.com')], 'POST')).toBeUndefined()
    expect(asks([grant('http:fetch:GET,POST@example.com')], 'POST', 'DELETE')).toContain('override')
    expect(asks([grant('http:fetch:example.com')], 'DELETE')).toBeUndefined()
  })

  test('is taken out with any part of it', () => {
    const without = [grant('http:fetch:example.com', 'DELETE@example.com')]
    expect(asks(without, 'POST')).toBeUndefined()
    expect(asks(without, 'DELETE')).toBe('a deny rule excludes it')
  })
})
