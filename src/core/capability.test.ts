import { expect, test } from 'vitest'

import { formatCapability, parseCapability } from './capability.ts'

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
