import { expect, test } from 'vitest'

import type { Capability } from '../../core/capability.ts'
import { isGranted, pathGrants, type FileAction } from './path-grants.ts'

const places = { workspace: '/work', home: '/home/me' }

function may(action: FileAction, path: string, ...grants: Capability[]): boolean {
  return isGranted(path, pathGrants(grants, action, places))
}

test('nothing is granted by default', () => {
  expect(may('read', '/work/a')).toBe(false)
})

test('reading and writing are granted apart', () => {
  const write: Capability = { kind: 'fs:write', scope: '**' }
  expect(may('write', '/work/a', write)).toBe(true)
  expect(may('read', '/work/a', write)).toBe(false)
  expect(may('write', '/work/a', { kind: 'fs:read' })).toBe(false)
  expect(may('read', '/work/a', { kind: 'shell:exec', scope: '**' })).toBe(false)
})

test('without a scope it is every path', () => {
  expect(may('read', '/etc/hosts', { kind: 'fs:read' })).toBe(true)
  expect(may('read', '/etc/hosts', { kind: 'fs:read', scope: '**' })).toBe(false)
})

test('exceptions win in their own grant, and only there', () => {
  const grant: Capability = { kind: 'fs:read', scope: '**', except: ['secrets/**', '**/*.env'] }
  expect(may('read', '/work/src/a', grant)).toBe(true)
  expect(may('read', '/work/secrets/a', grant)).toBe(false)
  expect(may('read', '/work/secrets', grant)).toBe(false)
  expect(may('read', '/work/deep/prod.env', grant)).toBe(false)
  expect(may('read', '/work/secrets/a', grant, { kind: 'fs:read', scope: 'secrets/a' })).toBe(true)
})

test.each([
  ['secret*', '/work/secrets-of-prod/key'],
  ['secrets', '/work/SECRETS/key'],
  ['keys/*', '/work/keys/deep/key'],
  ['**/*.{env,pem}', '/work/a/b.pem'],
  ['[ab].txt', '/work/a.txt'],
  ['{a,b/c}/x', '/work/anything'],
  ['*/../../x', '/work/anything'],
])('the exception %s takes out %s', (except, path) => {
  expect(may('read', path, { kind: 'fs:read', scope: '**' })).toBe(true)
  expect(may('read', path, { kind: 'fs:read', scope: '**', except: [except] })).toBe(false)
})

test('a grant that cannot be understood grants nothing', () => {
  expect(may('read', '/x', { kind: 'fs:read', scope: '*/../../x' })).toBe(false)
})
