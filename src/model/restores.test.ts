import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { openStore, type Store } from '../platform/storage/store.ts'
import { createRestores, type Restores } from './restores.ts'

let folder: string
let store: Store
let now = 1000
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-restores-'))
  store = openStore(join(folder, 'contextd.db'))
  now = 1000
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

/** As after a restart. */
const open = (tenant = 'local'): Restores =>
  createRestores({ store, tenant, keysDir: join(folder, 'keys'), clock: () => now })

test('remembers what was restored in a tool call, across restarts, and encrypted', () => {
  const restores = open()
  restores.remember('s1', 't1', [{ token: '[SECRET_1]', text: 'hunter2 a' }])
  restores.remember('s1', 't1', [{ token: '[SECRET_2]', text: 'line\n+two' }])
  const values = [
    { token: '[SECRET_1]', value: 'hunter2 a' },
    { token: '[SECRET_2]', value: 'line\n+two' },
  ]
  expect([restores.of('s1', 't1'), open().of('s1', 't1')]).toEqual([values, values])
  expect([open().of('s1', 't2'), open().of('s2', 't1'), open('other').of('s1', 't1')]).toEqual([[], [], []])
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
  expect(bytes.join('')).not.toContain('hunter2')
  expect(bytes.join('')).not.toContain(Buffer.from('hunter2').toString('base64').slice(0, 8))
})

test('a row moved to another tool call does not open', () => {
  open().remember('s1', 't1', [{ token: '[SECRET_1]', text: 'hunter2 a' }])
  const [row] = store.rows('model_restores', { tenant: 'local' }).all()
  store.rows('model_restores', { tenant: 'local' }).insert({ ...row, tool_use: 't2' })
  expect(() => open().of('s1', 't2')).toThrow()
})

test('is pruned by age', () => {
  const restores = open()
  restores.remember('s1', 't1', [{ token: '[SECRET_1]', text: 'a' }])
  now = 2000
  restores.remember('s1', 't2', [{ token: '[SECRET_1]', text: 'a' }])
  expect(restores.prune(1500)).toBe(1)
  expect([open().of('s1', 't1').length, open().of('s1', 't2').length]).toEqual([0, 1])
})

test('a repeated call adds only new values', () => {
  const one = { token: '[SECRET_1]', text: 'weak-value' }
  const two = { token: '[SECRET_2]', text: 'other' }
  const restores = open()
  restores.remember('s1', 't1', [one])
  restores.remember('s1', 't1', [one, two])
  restores.remember('s1', 't1', [two])
  const both = [one, two].map(({ token, text }) => ({ token, value: text }))
  for (const known of [restores, open()]) expect(known.of('s1', 't1')).toEqual(both)
})
