import { statSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { temporaryAudit } from '../../../test/support/audit.ts'
import { createVault } from './vault.ts'

const call = {
  id: 'call-1',
  tenant: 'local',
  project: '/shop',
  session: 's1',
  principal: { agent: 'main', level: 'default' },
} as const

function openVault() {
  const { files, clock, intruder } = temporaryAudit()
  const { store, keysDir } = files
  const vault = createVault({ store, keysDir, clock: () => clock.now })
  return { vault, store, keysDir, clock, intruder }
}

describe('the vault', () => {
  test('returns what was stored', () => {
    const { vault } = openVault()
    const raw = 'AKIA… 😀 and a NUL \0 too'
    vault.put(call, raw)
    expect(vault.read('local', 'call-1')).toBe(raw)
    expect(vault.read('local', 'call-2')).toBeUndefined()
  })

  test('stores it encrypted, and differently every time', () => {
    const { vault, store } = openVault()
    vault.put(call, 'the raw output')
    vault.put({ ...call, id: 'call-2' }, 'the raw output')
    const bodies = store.prepare('SELECT nonce, body FROM vault').all()
    for (const { body } of bodies) expect(Buffer.from(body as Uint8Array).includes('raw')).toBe(false)
    expect(bodies[0]?.body).not.toEqual(bodies[1]?.body)
    expect(bodies[0]?.nonce).not.toEqual(bodies[1]?.nonce)
  })

  test('stores its key for the owner only', () => {
    const { keysDir } = openVault()
    expect(statSync(join(keysDir, 'vault.key')).mode & 0o777).toBe(0o600)
  })

  test('is readable by its tenant only', () => {
    const { vault } = openVault()
    vault.put(call, 'raw')
    expect(vault.read('other', 'call-1')).toBeUndefined()
    expect(vault.prune('other', 9e15)).toBe(0)
    expect(vault.read('local', 'call-1')).toBe('raw')
  })

  test('deletes old entries', () => {
    const { vault, clock } = openVault()
    clock.now = 1
    vault.put(call, 'old')
    clock.now = 2
    vault.put({ ...call, id: 'call-2' }, 'new')
    expect(vault.prune('local', 2)).toBe(1)
    expect(vault.read('local', 'call-1')).toBeUndefined()
    expect(vault.read('local', 'call-2')).toBe('new')
  })

  test('keeps the first entry of a call', () => {
    const { vault } = openVault()
    vault.put(call, 'first')
    expect(() => vault.put(call, 'second')).toThrow('UNIQUE')
    expect(vault.read('local', 'call-1')).toBe('first')
  })
})

describe('a changed entry is not opened', () => {
  test.each([
    [
      'with a changed body',
      // A different first byte, whatever it was.
      "UPDATE vault SET body = CAST(iif(substr(body, 1, 1) = x'00', x'01', x'00') || substr(body, 2) AS BLOB) WHERE call = 'call-1'",
    ],
    ['cut short', "UPDATE vault SET body = substr(body, 1, 4) WHERE call = 'call-1'"],
    ['with another nonce', "UPDATE vault SET nonce = randomblob(12) WHERE call = 'call-1'"],
    ['for another agent', "UPDATE vault SET agent = 'other' WHERE call = 'call-1'"],
    ['for another project', "UPDATE vault SET project = '/other' WHERE call = 'call-1'"],
    ['for another call', "DELETE FROM vault WHERE call = 'call-1'; UPDATE vault SET call = 'call-1'"],
  ])('%s', (_, change) => {
    const { vault, intruder } = openVault()
    vault.put(call, 'the raw output')
    vault.put({ ...call, id: 'call-2' }, 'another')
    expect(vault.read('local', 'call-1')).toBe('the raw output')
    intruder.exec(change)
    expect(() => vault.read('local', 'call-1')).toThrow('was changed')
  })
})
