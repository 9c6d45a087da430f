import { expect, test } from 'vitest'

import { parseAddress } from '../../tools/http/addresses.ts'
import { endpointGrants, readEndpoint } from './endpoint.ts'

test.each([
  'https://hooks.example.com/a?b=c',
  'https://hooks.example.com:8443/',
  'https://10.1.2.3/hook',
  'https://[fd12:3456::1]/hook',
  'https://127.0.0.1:9000/',
  'http://127.0.0.1:9000/hook',
  'http://localhost:9000/hook',
  'http://hooks.localhost/',
  'http://[::1]:9000/',
  'http://[::ffff:127.0.0.1]:9000/',
])('%s is accepted', (url) => {
  expect(readEndpoint(url)).toMatchObject({ url: expect.stringMatching(/^https?:/) })
})

const byHttp = 'http is allowed only for addresses on this machine; use https'
test.each([
  ['http://hooks.example.com/', byHttp],
  ['http://10.1.2.3/', byHttp],
  ['http://notlocalhost/', byHttp],
  ['http://0.0.0.0:9000/', byHttp],
  ['https://0.0.0.0/', 'it resolves to an address that is unspecified'],
  ['https://[::]/', 'it resolves to an address that is unspecified'],
  ['https://169.254.169.254/latest', 'it resolves to an address that is link-local'],
  ['https://0xA9FEA9FE/latest', 'it resolves to an address that is link-local'],
  ['https://[::ffff:169.254.169.254]/', 'it resolves to an address that is link-local'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'it resolves to an address that is link-local'],
  ['https://[fe80::1]/', 'it resolves to an address that is link-local'],
  ['https://100.100.100.200/', 'it resolves to a metadata service'],
  ['https://[fd00:ec2::254]/', 'it resolves to a metadata service'],
  ['https://192.0.0.192/', 'it resolves to a metadata service'],
  ['https://224.0.0.1/', 'it resolves to an address that is multicast'],
  ['ftp://example.com/', 'only http and https are fetched'],
  ['https://ada:secret@example.com/', expect.stringContaining('may not contain a user name or password')],
  ['hooks.example.com', 'this is not a complete URL'],
  ['https://example.com/a b', 'the URL contains spaces or control characters'],
])('%s is refused', (url, problem) => {
  expect(readEndpoint(url)).toEqual(problem)
})

test('refuses a name that resolves elsewhere when sending', () => {
  const secure = endpointGrants({ secure: true })
  const plain = endpointGrants({ secure: false })
  const at = { host: { name: 'hooks.example.com' }, port: 443 }
  const here = { host: { name: 'localhost' }, port: 80 }
  expect(secure.whyNot(at, parseAddress('93.184.216.34'))).toBeUndefined()
  expect(secure.whyNot(at, parseAddress('169.254.169.254'))).toContain('link-local')
  expect(plain.whyNot(here, parseAddress('127.0.0.1'))).toBeUndefined()
  expect(plain.whyNot(here, parseAddress('93.184.216.34'))).toBe(byHttp)
})
