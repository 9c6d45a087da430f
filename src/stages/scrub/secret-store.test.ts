import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { sampleSecrets, temporaryRegistry } from '../../../test/support/registry.ts'
import { openStore } from '../../platform/storage/store.ts'

const [one = '', two = ''] = sampleSecrets(2)
const found = (value: string) => [{ value, rule: 'github-pat' }]
const session = { tenant: 'local', session: 'a' }

describe('on disk', () => {
  test('a secret is only readable with the key', () => {
    const { registry, store } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    store.prepare('PRAGMA wal_checkpoint(truncate)').get()
    const file = readFileSync(store.path)
    for (const text of [one, one.slice(4), Buffer.from(one).toString('base64')]) {
      expect(file.includes(text)).toBe(false)
      expect(file.includes(Buffer.from(text, 'utf16le'))).toBe(false)
    }
    // This search would find it: the name of its rule is stored in plain text.
    expect(file.includes('github-pat')).toBe(true)
  })

  test('a value is stored once, however many sessions have it, and no two look alike', () => {
    const { registry, store } = temporaryRegistry()
    registry.tokensFor('a', [...found(one), ...found(two)])
    registry.tokensFor('b', found(one))
    const rows = store.prepare('SELECT nonce, body, mac FROM secrets').all()
    expect(rows).toHaveLength(2)
    expect(rows[0]?.nonce).not.toEqual(rows[1]?.nonce)
    expect(rows[0]?.mac).not.toEqual(rows[1]?.mac)
  })

  test('the key is accessible to its owner only', () => {
    const { registry, keysDir } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    expect(statSync(join(keysDir, 'secrets.key')).mode & 0o777).toBe(0o600)
  })

  test('tenants are separate', () => {
    const { registry, store } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    store.prepare("UPDATE secrets SET tenant = 'other'").run()
    store.prepare("UPDATE secret_tokens SET tenant = 'other'").run()
    expect(registry.list()).toEqual([])
    expect(registry.valueOf('a', '[SECRET_1]')).toBeUndefined()
    expect(registry.forget({ all: true })).toBe(0)
    store.prepare("UPDATE secrets SET tenant = 'local'").run()
    expect(registry.list()).toHaveLength(1)
  })
})

/** Another process using the store, after a change of the key. */
function reopenAfter(change: (key: string) => void) {
  const first = temporaryRegistry()
  first.registry.tokensFor('a', found(one))
  change(join(first.keysDir, 'secrets.key'))
  return first.another()
}

describe('if the key', () => {
  test('is unchanged, everything works', () => {
    const { scrubber, registry } = reopenAfter(() => {})
    expect(scrubber.scrub('nothing secret', session).text).toBe('nothing secret')
    expect(registry.valueOf('a', '[SECRET_1]')).toBe(one)
  })

  test.each<[string, (key: string) => void, string]>([
    ['is missing', (key) => renameSync(key, `${key}.away`), 'is missing'],
    ['can be read by others', (key) => chmodSync(key, 0o644), 'is open to other users'],
    ['is no key', (key) => writeFileSync(key, 'short'), 'instead of 32'],
  ])('%s, nothing passes, not even once', (_, change, problem) => {
    const { scrubber, registry } = reopenAfter(change)
    for (let time = 0; time < 3; time++) expect(() => scrubber.scrub('any text', session)).toThrow(problem)
    expect(() => registry.valueOf('a', '[SECRET_1]')).toThrow(problem)
    // The remedy needs no key.
    expect(registry.list()).toHaveLength(1)
    expect(registry.forget({ all: true })).toBe(1)
    expect(scrubber.scrub('any text', session).text).toBe('any text')
  })

  test('is a different one, nothing is restored and it is reported', () => {
    const { scrubber, registry, complaints } = reopenAfter((key) => writeFileSync(key, Buffer.alloc(32, 7)))
    expect(scrubber.scrub('any text', session).text).toBe('any text')
    expect(registry.valueOf('a', '[SECRET_1]')).toBeUndefined()
    expect(complaints.join()).toContain('do not open')
    expect(scrubber.scrub(one, session).text).toBe('[SECRET_2]')
    expect(registry.valueOf('a', '[SECRET_2]')).toBe(one)
  })

  test('was not copied with the store, the copy restores nothing', () => {
    const { registry, store } = temporaryRegistry()
    registry.tokensFor('a', found(one))
    store.prepare('PRAGMA wal_checkpoint(truncate)').get()
    const elsewhere = join(temporaryFolder(), 'state')
    mkdirSync(elsewhere, { mode: 0o700 })
    copyFileSync(store.path, join(elsewhere, 'contextd.db'))
    const copy = openStore(join(elsewhere, 'contextd.db'))
    onTestFinished(() => copy.close())
    const thief = temporaryRegistry(copy)
    expect(thief.registry.list()).toHaveLength(1)
    expect(() => thief.registry.valueOf('a', '[SECRET_1]')).toThrow('is missing')
    expect(registry.valueOf('a', '[SECRET_1]')).toBe(one)
  })
})

test("a tool's transformation of a set secret does not replace it", () => {
  const { registry } = temporaryRegistry()
  registry.set('key', one)
  const made = Buffer.from(`user:${one}`).toString('base64')
  registry.tokensFor('a', [{ value: made, rule: 'set:key' }])
  expect(registry.named('key')).toBe(one)
})
