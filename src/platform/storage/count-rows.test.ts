import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { countRows } from './count-rows.ts'

test('counts rows of every project, but not of another tenant', () => {
  const store = temporaryStore()
  const begun = { door: 'stdio', client: 'x/1', client_session: null, started_at: 1 }
  for (const [tenant, project] of [
    ['local', '/a'],
    ['local', '/b'],
    ['other', '/a'],
  ] as const) {
    store.rows('sessions', { tenant, project }).insert({ ...begun, id: 'open', ended_at: null })
    store.rows('sessions', { tenant, project }).insert({ ...begun, id: 'over', ended_at: 2 })
  }
  expect(countRows(store, 'sessions', 'local')).toBe(4)
  expect(countRows(store, 'sessions', 'local', { ended_at: null })).toBe(2)
  expect(countRows(store, 'sessions', 'local', { project: '/a', ended_at: 2 })).toBe(1)
})

test('rejects the tenant and unknown columns as conditions', () => {
  const store = temporaryStore()
  for (const column of ['tenant', 'id = id OR 1']) {
    expect(() => countRows(store, 'sessions', 'local', { [column]: 'x' })).toThrow('cannot be counted by')
  }
  expect(countRows(store, 'sessions', 'local', { id: 'x' })).toBe(0)
})
