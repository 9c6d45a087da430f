import { beforeEach, expect, test } from 'vitest'

import { LOCAL_TENANT } from '../../core/call.ts'
import { temporaryStore } from '../../../test/support/audit.ts'
import { createSessions, type Sessions } from '../../platform/sessions.ts'
import { createStdioSessions } from './stdio-sessions.ts'

const client = { name: 'tester', version: '1', door: 'stdio' } as const
let sessions: Sessions
let open: () => number

beforeEach(() => {
  const store = temporaryStore()
  const owner = { tenant: LOCAL_TENANT, project: '/project' }
  let made = 0
  sessions = createSessions(store, owner, Date.now, () => `session-${++made}`)
  open = () => store.rows('sessions', owner).all({ ended_at: null }).length
})

test('a process is one session for any number of calls', () => {
  const { of, current } = createStdioSessions(sessions)
  expect([current(), of(client), of(client), current()]).toEqual([
    undefined,
    'session-1',
    'session-1',
    'session-1',
  ])
})

test("the client's first session takes over the earlier state, the next one is separate", () => {
  const { of } = createStdioSessions(sessions)
  expect([of(client), of(client, 'one'), of(client, 'two'), of(client, 'one')]).toEqual([
    'session-1',
    'session-1',
    'session-2',
    'session-1',
  ])
  // A call that names no session belongs to that of the previous call.
  expect(of(client)).toBe('session-1')
})

test('a restarted client gets its session back, and all end with the process', () => {
  const first = createStdioSessions(sessions)
  first.of(client, 'one')
  first.of(client, 'two')
  expect(open()).toBe(2)
  first.endAll()
  expect(open()).toBe(0)
  const second = createStdioSessions(sessions)
  expect(second.of(client)).toBe('session-3')
  expect(second.of(client, 'one')).toBe('session-1')
  expect(open()).toBe(2)
  second.endAll()
  expect(open()).toBe(0)
})
