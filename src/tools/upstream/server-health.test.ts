import { expect, test } from 'vitest'

import type { Connection } from './connection.ts'
import { createPool } from './pool.ts'
import { healthOf } from './server-health.ts'
import type { UpstreamServer } from './server.ts'

const server = {
  name: 'notes',
  fingerprint: '1',
  stateless: false,
  transport: { kind: 'stdio' },
} as UpstreamServer
const owner = { tenant: 't', session: 's', principal: { agent: 'main', level: 'environment' } } as const
const connection = { ended: new Promise(() => {}), close: async () => {} } as unknown as Connection

/** A pool whose connection succeeds or fails when the test decides. */
function open() {
  let connect: () => void = () => {}
  let fail: (why: Error) => void = () => {}
  const connected = new Promise<Connection>((resolve, reject) => {
    connect = () => resolve(connection)
    fail = reject
  })
  const pool = createPool({
    connect: () => connected,
    onNotice: () => {},
    clock: Date.now,
    maxConnections: 4,
    idleMs: 60_000,
    startMs: 60_000,
  })
  const used = pool.use(server, owner, async () => {})
  return { used, connect, fail, pool, health: () => healthOf('notes', pool) }
}

test('a server is connected when it has started, not before', async () => {
  const { used, connect, health, pool } = open()
  expect(health()).toEqual({ server: 'notes', state: 'starting', connections: 0 })
  connect()
  await used
  expect(health()).toEqual({ server: 'notes', state: 'connected', connections: 1 })
  await pool.close()
  expect(health()).toEqual({ server: 'notes', state: 'not started', connections: 0 })
})

test('a server that could not start is failing, with the reason', async () => {
  const { used, fail, health } = open()
  fail(new Error('no such program'))
  await expect(used).rejects.toMatchObject({ code: 'SERVER_UNAVAILABLE' })
  expect(health()).toMatchObject({ state: 'failing', connections: 0, why: 'no such program' })
})
