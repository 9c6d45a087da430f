import { once } from 'node:events'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import type { DoorLimits } from '../../src/servers/limits/door-limits.ts'
import { doorTools } from '../support/door-tools.ts'
import { until } from '@contextd/shared/testing/until'
import { grpcDoor, type GrpcDoor, type Shown } from './grpc-door.ts'

async function open(limits: Partial<DoorLimits>): Promise<GrpcDoor> {
  const door = await grpcDoor({ tls: true, tools: doorTools(), limits })
  onTestFinished(() => door.close())
  return door
}

function portOf({ tcp = '' }: GrpcDoor): number {
  return Number(tcp.split(':').at(-1))
}

function sessionOf(door: GrpcDoor, shown: Shown): ClientHttp2Session {
  const session = connectHttp2(`https://localhost:${portOf(door)}`, shown)
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return session
}

/** The status of one call; undefined if the connection was closed instead. */
async function callOn(session: ClientHttp2Session): Promise<unknown> {
  if (session.destroyed) return undefined
  const headers = {
    ':method': 'POST',
    ':path': '/contextd.v1.Tools/List',
    'content-type': 'application/json',
  }
  const stream = session.request(headers)
  let status: unknown
  stream.on('response', (found) => (status = found[':status']))
  stream.on('error', () => {})
  stream.end('{}')
  stream.resume()
  await once(stream, 'close').catch(() => {})
  return status
}

test('unfinished handshakes do not block other callers', async () => {
  const door = await open({ maxStrangers: 4 })
  const shown = door.issue({ kind: 'agent', id: 'main' })
  const before = sessionOf(door, shown)
  expect(await callOn(before)).toBe(200)
  let gone = 0
  for (let n = 0; n < 40; n++) {
    const silent = connect(portOf(door), '127.0.0.1')
    silent.on('error', () => {})
    silent.on('close', () => gone++)
    onTestFinished(() => void silent.destroy())
  }
  // The others are still in their handshake.
  await until(() => gone >= 36)
  expect(await callOn(sessionOf(door, shown))).toBe(200)
  expect(await callOn(before)).toBe(200)
  expect(door.hits).toContain('strangers')
  expect(gone).toBeLessThan(40)
})

test('connections of one certificate are limited, others are not affected', async () => {
  const door = await open({ maxPerCaller: 2 })
  const shown = door.issue({ kind: 'agent', id: 'main' })
  const sessions = [sessionOf(door, shown), sessionOf(door, shown), sessionOf(door, shown)]
  const answered = await Promise.all(sessions.map(callOn))
  expect(answered.filter((status) => status === 200)).toHaveLength(2)
  expect(door.hits).toEqual(['caller'])
  expect(door.log.join()).toContain('its limit of 2 connections')
  expect(await callOn(sessionOf(door, door.issue({ kind: 'agent', id: 'main' })))).toBe(200)
  // A connection that closes makes room.
  sessions[answered.indexOf(200)]!.destroy()
  await until(async () => (await callOn(sessionOf(door, shown))) === 200)
})

test('a message that arrives byte by byte is dropped after a time limit', async () => {
  const door = await open({ bodyMs: 300 })
  const session = sessionOf(door, door.issue({ kind: 'agent', id: 'main' }))
  const stream = session.request({
    ':method': 'POST',
    ':path': '/contextd.v1.Tools/List',
    'content-type': 'application/json',
  })
  stream.on('error', () => {})
  const trickle = setInterval(() => stream.writable && stream.write(' '), 5)
  await new Promise((resolve) => stream.once('close', resolve))
  clearInterval(trickle)
  expect(door.hits).toEqual(['body'])
  expect(await callOn(session)).toBe(200)
})
