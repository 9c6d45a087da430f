import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { until } from '@contextd/shared/testing/until'
import { watchConnections, type DoorConnections } from './door-connections.ts'
import { doorLimits, type DoorLimits, type LimitHit } from './door-limits.ts'

interface Door {
  readonly connections: DoorConnections
  readonly hits: readonly LimitHit[]
  /** Both ends of a connection from this address. */
  join(from?: string): Promise<{ here: Socket; there: Socket }>
}

async function open(limits: Partial<DoorLimits>): Promise<Door> {
  const server = createServer()
  const hits: LimitHit[] = []
  const connections = watchConnections(server, { ...doorLimits, ...limits }, (limit) => hits.push(limit))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => void server.close())
  return {
    connections,
    hits,
    async join(from = '127.0.0.1') {
      const arrived = once(server, 'connection') as Promise<[Socket]>
      const there = connect({ port, host: '127.0.0.1', localAddress: from })
      const [here] = await arrived
      for (const socket of [here, there]) socket.on('error', () => {}).resume()
      onTestFinished(() => void there.destroy())
      return { here, there }
    },
  }
}

test('with too many unauthenticated connections, closes the oldest of the address with the most', async () => {
  const { join, hits } = await open({ maxStrangers: 3 })
  const quiet = await join('127.0.0.2')
  const flood = [await join(), await join(), await join(), await join()]
  expect([quiet, ...flood].map(({ here }) => here.destroyed)).toEqual([false, true, true, false, false])
  expect(hits).toEqual(['strangers', 'strangers'])
})

test('an authenticated connection counts for its caller until it is closed', async () => {
  const { connections, join, hits } = await open({ maxStrangers: 1, maxPerCaller: 2 })
  const held = await join()
  connections.admit(held.here, 'a')
  const other = await join()
  connections.admit(other.here, 'a')
  // The same connection counts once.
  connections.admit(other.here, 'a')
  const third = await join()
  expect(() => connections.admit(third.here, 'a')).toThrow('its limit of 2 connections')
  connections.admit(third.here, 'b')
  expect([held, other, third].some(({ here }) => here.destroyed)).toBe(false)
  held.there.destroy()
  await until(() => held.here.destroyed)
  connections.admit((await join()).here, 'a')
  expect(hits).toEqual(['caller'])
})

test('a connection belongs to the caller that used it last', async () => {
  const { connections, join } = await open({ maxPerCaller: 1, maxConnections: 2 })
  const first = await join()
  connections.admit(first.here, 'a')
  connections.admit(first.here, 'b')
  connections.admit((await join()).here, 'a')
  const third = await join()
  expect(() => connections.admit(third.here, 'b')).toThrow('its limit of 1 connection')
  expect(() => connections.admit(third.here, 'c')).toThrow('shared by all callers')
})

test('can close unauthenticated connections only', async () => {
  const { connections, join } = await open({})
  const [stranger, caller] = [await join(), await join()]
  connections.admit(caller.here, 'a')
  connections.endStrangers()
  expect([stranger.here.destroyed, caller.here.destroyed]).toEqual([true, false])
})
