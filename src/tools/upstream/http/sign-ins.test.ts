import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporarySignIns } from '../../../../test/support/http-connection.ts'
import { joinScopes, type SignIn } from './sign-ins.ts'

const { signIns, folder } = temporarySignIns()

const url = 'https://mcp.example.com/mcp'
const made: SignIn = {
  client: { client_id: 'me', issuer: 'https://as.example.com' },
  tokens: { access_token: 'access-0123456789', token_type: 'Bearer', issuer: 'https://as.example.com' },
  discovery: { authorizationServerUrl: 'https://as.example.com' },
}

test('a sign-in is valid only for its server and origin', () => {
  signIns().save('there', url, made)
  expect(signIns().find('there', url)).toEqual(made)
  expect(signIns().find('there', 'https://mcp.example.com/other')).toEqual(made)
  for (const other of [
    'https://mcp.example.com:444/mcp',
    'http://mcp.example.com/mcp',
    'https://evil.example/mcp',
  ]) {
    expect(signIns().find('there', other)).toBeUndefined()
  }
  expect(signIns().find('elsewhere', url)).toBeUndefined()
})

test('it is encrypted, and only its owner can read the key', () => {
  signIns().save('there', url, made)
  for (const file of ['contextd.db', 'contextd.db-wal']) {
    expect(readFileSync(join(folder(), file)).includes('access-0123456789')).toBe(false)
  }
  expect(statSync(join(folder(), 'keys', 'sign-ins.key')).mode & 0o077).toBe(0)
})

test('the next sign-in requests the missing scope', () => {
  signIns().want('there', url, 'write')
  expect(signIns().find('there', url)).toBeUndefined()
  signIns().save('there', url, { ...made, scope: 'read' })
  signIns().want('there', url, 'write read')
  expect(signIns().find('there', url)?.scope).toBe('read write')
  signIns().want('there', 'https://evil.example/', 'everything')
  expect(signIns().find('there', url)?.scope).toBe('read write')
})

test('a removed sign-in is not found', () => {
  signIns().save('there', url, made)
  expect(signIns().remove('there')).toBe(true)
  expect(signIns().remove('there')).toBe(false)
  expect(signIns().find('there', url)).toBeUndefined()
})

test('scopes are joined without duplicates', () => {
  expect(joinScopes('a b', undefined, ' b  c')).toBe('a b c')
  expect(joinScopes(undefined, '')).toBeUndefined()
})
