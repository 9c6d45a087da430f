import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryStore } from '../../test/support/audit.ts'
import { createRestores } from './restores.ts'

const one = { token: '[SECRET_1]', text: 'weak-value' }
const two = { token: '[SECRET_2]', text: 'other' }

function open() {
  const store = temporaryStore()
  const options = { store, tenant: 'local', keysDir: join(dirname(store.path), 'keys'), clock: () => 1000 }
  return { store, restores: createRestores(options), reopened: () => createRestores(options) }
}

test('what was restored in a call is known again after a restart, of that session and call alone', () => {
  const { restores, reopened } = open()
  restores.remember('s1', 't1', [one])
  for (const known of [restores, reopened()]) {
    expect(known.of('s1', 't1')).toEqual([{ token: one.token, value: one.text }])
    expect(known.of('s1', 't2')).toEqual([])
    expect(known.of('s2', 't1')).toEqual([])
  }
})

test('a call that is made again adds only what is new', () => {
  const { restores, reopened } = open()
  restores.remember('s1', 't1', [one])
  restores.remember('s1', 't1', [one, two])
  restores.remember('s1', 't1', [two])
  const both = [one, two].map(({ token, text }) => ({ token, value: text }))
  for (const known of [restores, reopened()]) expect(known.of('s1', 't1')).toEqual(both)
})

test('values are sealed in the store, and removed with their time', () => {
  const { store, restores, reopened } = open()
  restores.remember('s1', 't1', [one])
  const rows = store.rows('model_restores', { tenant: 'local', session: 's1' }).all()
  expect(JSON.stringify(rows)).not.toContain(one.text)
  expect(readFileSync(store.path).includes(one.text)).toBe(false)
  expect(restores.prune(999)).toBe(0)
  expect(restores.prune(1000)).toBe(1)
  expect(reopened().of('s1', 't1')).toEqual([])
})
