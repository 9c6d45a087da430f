import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { openStore, type Store } from '../../platform/storage/store.ts'
import { createAgentTokens, type AgentTokens } from './agent-tokens.ts'

let folder: string
let store: Store
let tokens: AgentTokens
let now = 1_000

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-tokens-'))
  store = openStore(join(folder, 'contextd.db'))
  tokens = createAgentTokens(store, 'local', () => now, randomBytes)
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

test('a token identifies its agent until it is revoked', () => {
  const { token, secret } = tokens.create('front', 'laptop')
  expect(tokens.verify(secret)).toEqual({ id: token.id, agent: 'front' })
  expect(tokens.revoke(token.id)).toBe(true)
  expect(tokens.verify(secret)).toBeUndefined()
  expect(tokens.revoke(token.id)).toBe(false)
})

test('a modified secret, another format or another tenant is rejected', () => {
  const { secret } = tokens.create('front', '')
  const flipped = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A')
  for (const wrong of [flipped, '', 'ctxd_', secret.slice(5), `${secret}x`])
    expect(tokens.verify(wrong)).toBeUndefined()
  expect(createAgentTokens(store, 'other', () => now, randomBytes).verify(secret)).toBeUndefined()
  expect(tokens.verify(secret)).toBeDefined()
})

test('the files contain no secret', () => {
  const { secret } = tokens.create('front', 'laptop')
  const bytes = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('')
  expect(bytes).toContain('laptop')
  expect(bytes).not.toContain(secret.slice(17))
})

test('the list shows use and revocation', () => {
  const { token, secret } = tokens.create('front', 'laptop')
  now = 500_000
  tokens.verify(secret)
  tokens.revoke(token.id)
  expect(tokens.list()).toEqual([
    { id: token.id, agent: 'front', label: 'laptop', createdAt: 1_000, usedAt: 500_000, revokedAt: 500_000 },
  ])
})

test('an id can be used on a command line', () => {
  // Without this, it would be eleven dashes.
  const dashes = (size: number): Buffer =>
    Buffer.from('-'.repeat(Math.ceil((size * 4) / 3)), 'base64url').subarray(0, size)
  const { token, secret } = createAgentTokens(store, 'local', () => now, dashes).create('front', '')
  expect(token.id).toMatch(/^[^-]/)
  expect(tokens.verify(secret)).toMatchObject({ agent: 'front' })
})
