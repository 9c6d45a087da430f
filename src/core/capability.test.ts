import { expect, test } from 'vitest'

import { formatCapability, grantsAddresses, parseCapability } from './capability.ts'

test.each([
  ['shell:exec', { kind: 'shell:exec' }],
  ['shell:cache', { kind: 'shell:cache' }],
  ['shell:cache:npm', { kind: 'shell:cache', scope: 'npm' }],
  ['fs:read:src/**', { kind: 'fs:read', scope: 'src/**' }],
  ['net:connect:[::1]:5432', { kind: 'net:connect', scope: '[::1]:5432' }],
  ['http:fetch:api.example.com:443', { kind: 'http:fetch', scope: 'api.example.com:443' }],
])('%s parses and formats back unchanged', (text, capability) => {
  expect(parseCapability(text)).toEqual(capability)
  expect(formatCapability(capability as never)).toBe(text)
})

test.each([
  '',
  'fs',
  'fs:read:',
  '%j is not a capability',
  'FS:READ',
  'shell:run',
  'net:connect',
  'shell:cache:yarn',
  'shell:cache:n*',
  'net:connect:*',
  'net:connect:localhost:80',
])('%j is none', (text) => {
  expect(parseCapability(text)).toBeUndefined()
})

test.each<[string, boolean]>([
  ['127.0.0.1:5432', true],
  ['GET@127.1', true],
  ['GET,HEAD@0x7f.1:80', true],
  ['2130706433', true],
  ['127.0.0.1.', true],
  ['10.0.0.0/8', true],
  ['[::1]:5432', true],
  ['[fd00::]/8', true],
  ['localhost', true],
  ['LOCALHOST.:3000', true],
  ['%6cocalhost', true],
  ['api.example.com', false],
  ['GET@*.example.com:8443', false],
  ['127.0.0.1.example.com', false],
  ['1password.example', false],
  ['*', false],
  ['*:8080', false],
])('http:fetch:%s grants addresses: %s', (scope, expected) => {
  expect(grantsAddresses(parseCapability(`http:fetch:${scope}`)!)).toBe(expected)
})

test('other capabilities grant no addresses, nor does http:fetch without a scope', () => {
  expect(['http:fetch', 'fs:read:127.0.0.1'].map((one) => grantsAddresses(parseCapability(one)!))).toEqual([
    false,
    false,
  ])
})
