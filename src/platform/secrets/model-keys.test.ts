import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { ContextdError } from '../../core/errors/errors.ts'
import { createAgentTokens } from '../../stages/identity/agent-tokens.ts'
import { createModelKeys, ensureModelKey, modelKeyFile, type ModelKeys } from './model-keys.ts'
import { openStore, type Store } from '../storage/store.ts'

let folder: string
let store: Store
let keys: ModelKeys
let now = 1_000
const paths = (): { keys: string } => ({ keys: join(folder, 'keys') })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-model-keys-'))
  store = openStore(join(folder, 'contextd.db'))
  keys = createModelKeys(store, 'local', () => now, randomBytes)
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

test('a key identifies its client until it is revoked', () => {
  const { id, secret } = keys.create('claude-code')
  expect(keys.verify(secret)).toEqual({ id, client: 'claude-code' })
  expect(keys.revoke(id)).toBe(true)
  expect(keys.verify(secret)).toBeUndefined()
  expect(keys.isLive(secret)).toBe(false)
  expect(keys.revoke(id)).toBe(false)
})

test('a key is not a bearer token, and a bearer token is not a key', () => {
  const tokens = createAgentTokens(store, 'local', () => now, randomBytes)
  const bearer = tokens.create('main', '').secret
  const key = keys.create('claude-code').secret
  expect(tokens.verify(key)).toBeUndefined()
  expect(keys.verify(bearer)).toBeUndefined()
  // Not even with the other prefix.
  expect(tokens.verify(key.replace('ctxm', 'ctxd'))).toBeUndefined()
  expect(keys.verify(bearer.replace('ctxd', 'ctxm'))).toBeUndefined()
  expect([tokens.verify(bearer), keys.verify(key)]).toMatchObject([
    { agent: 'main' },
    { client: 'claude-code' },
  ])
})

test('a modified key and a key of another tenant are rejected', () => {
  const { secret } = keys.create('claude-code')
  const flipped = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A')
  for (const wrong of [flipped, '', 'ctxm_', `${secret}x`]) expect(keys.verify(wrong)).toBeUndefined()
  expect(createModelKeys(store, 'other', () => now, randomBytes).verify(secret)).toBeUndefined()
  expect(keys.verify(secret)).toBeDefined()
})

test('the list shows use and revocation, and the database contains no secret', () => {
  const { id, secret } = keys.create('opencode')
  now = 500_000
  keys.verify(secret)
  keys.revoke(id)
  expect(keys.list()).toEqual([
    { id, client: 'opencode', createdAt: 1_000, usedAt: 500_000, revokedAt: 500_000 },
  ])
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'))
  expect(bytes.join('')).toContain('opencode')
  expect(bytes.join('')).not.toContain(secret.slice(17))
})

test('a client has one key, readable by this user only', () => {
  const made: string[] = []
  const ensure = (client: string): string => ensureModelKey(paths(), keys, client, (id) => made.push(id))
  const secret = ensure('claude-code')
  expect(ensure('claude-code')).toBe(secret)
  expect(ensure('opencode')).not.toBe(secret)
  expect(made).toHaveLength(2)
  const file = modelKeyFile(paths(), 'claude-code')
  expect(readFileSync(file, 'utf8')).toBe(`${secret}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  // Reading a key does not count as a use.
  expect(keys.list().map(({ usedAt }) => usedAt)).toEqual([undefined, undefined])
})

test.each(['revoked', 'unknown'])('replaces a stored key that is %s', (state) => {
  const file = modelKeyFile(paths(), 'claude-code')
  const first = ensureModelKey(paths(), keys, 'claude-code')
  if (state === 'revoked') keys.revoke(keys.list()[0]!.id)
  else writeFileSync(file, 'from another database')
  chmodSync(file, 0o644)
  const second = ensureModelKey(paths(), keys, 'claude-code')
  expect(second).not.toBe(first)
  expect(keys.verify(second)).toBeDefined()
  expect(keys.isLive(first)).toBe(state === 'unknown')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('client names are restricted, so that key files stay in their folder', () => {
  for (const name of ['../http-token', '', 'A', 'x'.repeat(33)]) {
    expect(() => ensureModelKey(paths(), keys, name)).toThrow(ContextdError)
    expect(() => keys.create(name)).toThrow(ContextdError)
  }
  expect(keys.list()).toEqual([])
})
