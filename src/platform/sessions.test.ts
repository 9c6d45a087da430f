import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { createSessions, type Sessions } from './sessions.ts'
import { openStore, type Store } from './storage/store.ts'

const client = { name: 'claude-code', version: '1', door: 'stdio' } as const

let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-sessions-'))
  store = openStore(join(folder, 'contextd.db'))
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

const of = (project: string, tenant = 'local'): Sessions =>
  createSessions(store, { tenant, project }, () => 1000, randomUUID)

test("a client's session is the same in every project, but not for another tenant", () => {
  const session = of('/a').join(client, 'c1')
  expect(of('/b').join(client, 'c1')).toBe(session)
  expect(of('/b').projectOf(session)).toBe('/a')
  expect(of('/b').join(client, 'c2')).not.toBe(session)
  expect(of('/a', 'other').join(client, 'c1')).not.toBe(session)
})

test('the first caller that knows the project assigns it to the session', () => {
  const session = of('').join(client, 'c1')
  expect(of('').projectOf(session)).toBe('')
  expect(of('').join(client, 'c1')).toBe(session)
  expect(of('/a').join(client, 'c1')).toBe(session)
  expect(of('/b').join(client, 'c1')).toBe(session)
  expect(of('').projectOf(session)).toBe('/a')
  expect(store.rows('sessions', { tenant: 'local' }).all()).toHaveLength(1)
})

test("an existing session can become the client's, and can end and be resumed", () => {
  const sessions = of('/a')
  const current = sessions.begin(client)
  expect(sessions.join(client, 'c1', current)).toBe(current)
  sessions.end(current)
  const row = (): unknown => store.rows('sessions', { tenant: 'local' }).first({ id: current })
  expect(row()).toMatchObject({ ended_at: 1000, client_session: 'c1', project: '/a' })
  expect(of('/b').join(client, 'c1')).toBe(current)
  expect(row()).toMatchObject({ ended_at: null, started_at: 1000, project: '/a' })
  expect(of('/b').prune(1000)).toBe(1)
  expect(sessions.projectOf(current)).toBe('')
})
