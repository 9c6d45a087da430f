import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { Connection } from './connection.ts'
import { createPool } from './pool.ts'
import type { UpstreamServer } from './server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const server = {
  name: 'notes',
  fingerprint: '1',
  stateless: false,
  transport: { kind: 'stdio' },
} as UpstreamServer
const owner = { tenant: 't', session: 's', principal: { agent: 'main', level: 'environment' } } as const

function open() {
  let closed = 0
  const pool = createPool({
    connect: async () =>
      ({ ended: new Promise(() => {}), close: async () => void (closed += 1) }) as unknown as Connection,
    onNotice: () => {},
    clock: Date.now,
    maxConnections: 4,
    idleMs: 1000,
    startMs: 1000,
  })
  return { pool, closed: () => closed }
}

test('closes a connection when it has been idle long enough since its last use', async () => {
  const { pool, closed } = open()
  const use = () => pool.use(server, owner, async () => {})
  await use()
  await vi.advanceTimersByTimeAsync(900)
  await use()
  await vi.advanceTimersByTimeAsync(999)
  expect(closed()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(closed()).toBe(1)
  expect(pool.connections('notes')).toEqual({ open: 0, starting: 0 })
})

test('a connection in use is not closed and becomes idle afterwards', async () => {
  const { pool, closed } = open()
  await pool.use(server, owner, async () => {})
  let finish: () => void = () => {}
  const long = pool.use(server, owner, () => new Promise<void>((resolve) => (finish = resolve)))
  await vi.advanceTimersByTimeAsync(5000)
  expect(closed()).toBe(0)
  finish()
  await long
  await vi.advanceTimersByTimeAsync(999)
  expect(closed()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(closed()).toBe(1)
})

test('each agent has its own connection, also with alternating calls', async () => {
  const { pool } = open()
  const other = { ...owner, principal: { agent: 'other', level: 'environment' } } as const
  for (const who of [owner, other, owner, other]) await pool.use(server, who, async () => {})
  expect(pool.connections('notes')).toEqual({ open: 2, starting: 0 })
})
