import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import {
  connect as connectHttp2,
  constants,
  createServer as createHttp2,
  type ClientHttp2Session,
} from 'node:http2'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'

import { status } from '@grpc/grpc-js'
import { afterEach, expect, test } from 'vitest'

import { listenOnPort, listenOnSocket } from '../../src/servers/limits/listen.ts'
import { doorTools } from '../support/door-tools.ts'
import { makeTempHome } from '../support/temp-home.ts'
import { until } from '@contextd/shared/testing/until'
import { grpcDoor, type GrpcDoor } from './grpc-door.ts'
import { errorObject, foreignClient, type ForeignClient } from './grpc-foreign.ts'

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function opened(
  ...options: Parameters<typeof grpcDoor>
): Promise<{ door: GrpcDoor; client: ForeignClient }> {
  const door = await grpcDoor(...options)
  ends.push(door.close)
  const client = foreignClient(`unix:${door.socket}`)
  ends.push(client.close)
  return { door, client }
}

function http2To(door: GrpcDoor): ClientHttp2Session {
  const session = connectHttp2('http://localhost', { createConnection: () => connect(door.socket) })
  session.on('error', () => {})
  ends.push(() => session.destroy())
  return session
}

test('only this user can access the socket and its folder', async () => {
  const { door } = await opened()
  expect(statSync(door.socket).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(door.socket)).mode & 0o777).toBe(0o700)
  expect(door.tcp).toBeUndefined()
})

test('leftovers of a dead daemon are replaced; a folder in their place is not', async () => {
  const home = makeTempHome()
  ends.push(home.remove)
  const path = join(home.path, 'control.sock')
  const target = home.write('precious.txt', 'x')
  symlinkSync(target, path)
  const server = createHttp2()
  expect(await listenOnSocket(server, path)).toBe(path)
  expect([statSync(path).isSocket(), existsSync(target)]).toEqual([true, true])
  await new Promise((resolve) => server.close(resolve))

  mkdirSync(path)
  writeFileSync(join(path, 'precious'), '')
  await expect(listenOnSocket(createHttp2(), path)).rejects.toThrow('a folder exists at that path')
  expect(existsSync(join(path, 'precious'))).toBe(true)
})

test('a path that is too long and a port in use are explained', async () => {
  await expect(listenOnSocket(createHttp2(), `/tmp/${'x'.repeat(110)}`)).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
    details: { hint: expect.stringContaining('CONTEXTD_HOME') },
  })
  const first = createServer()
  const address = await listenOnPort(first, { host: '127.0.0.1', port: 0 })
  ends.push(() => void first.close())
  expect(address).toMatch(/^127\.0\.0\.1:\d+$/)
  const port = Number(address.split(':')[1])
  const taken = { host: '127.0.0.1', port, hint: 'Choose another control.port.' }
  await expect(listenOnPort(createServer(), taken)).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
    details: { address, hint: taken.hint },
  })
})

test('a caller that exceeds the rate limit is told when to retry', async () => {
  const { client } = await opened({ control: 'calls_per_minute = 5\n' })
  for (let call = 0; call < 5; call++) await client.unary('grpc.health.v1.Health/Check')
  const refused = await client.unary('Policy/List').catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  expect(errorObject(refused)).toMatchObject({
    code: 'CALLER_LIMITED',
    hint: expect.any(String),
    details: { retry_after_ms: expect.any(Number) },
  })
})

test('concurrent calls are limited, and an ended one makes room', async () => {
  const { client } = await opened({ control: 'calls_at_once = 2\n', tools: doorTools() })
  const open = [1, 2].map(() => client.stream('grpc.health.v1.Health/Watch', {}))
  for (const call of open) await once(call, 'data')
  await expect(client.unary('Policy/List')).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  const ended = once(open[0]!, 'error')
  open[0]!.cancel()
  await ended
  open[1]!.on('error', () => {})
  await until(async () => {
    try {
      return (await client.unary('Policy/List')) !== undefined
    } catch {
      return false
    }
  })
})

test('streams that are opened and reset immediately do not block others', async () => {
  const { door, client } = await opened({ tools: doorTools() })
  const attacker = http2To(door)
  await once(attacker, 'connect')
  for (let burst = 0; burst < 30 && !attacker.destroyed; burst++) {
    for (let one = 0; one < 100 && !attacker.destroyed; one++) {
      const stream = attacker.request({ ':path': '/contextd.v1.Tools/Call', ':method': 'POST' })
      stream.on('error', () => {})
      stream.close(constants.NGHTTP2_CANCEL)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await client.unary('Policy/List')).toHaveProperty('agents')
})

test('garbage, endless headers and a client that never finishes its message do not block others', async () => {
  const { door, client } = await opened()
  const garbage = connect(door.socket)
  const closed = once(garbage, 'close')
  garbage.on('error', () => {})
  garbage.resume()
  garbage.write('GET / HTTP/1.1\r\n\r\n')
  await closed

  const talker = http2To(door)
  const refused = talker.request({
    ':path': '/contextd.v1.Policy/List',
    ':method': 'POST',
    'x-long': 'x'.repeat(60_000),
  })
  const isOver = new Promise((resolve) => refused.once('close', resolve))
  let answered: unknown
  refused.on('response', (headers) => (answered = headers[':status']))
  refused.on('error', () => {})
  refused.end()
  await isOver
  expect(answered).not.toBe(200)

  const hanging = http2To(door).request({
    ':path': '/contextd.v1.Policy/List',
    ':method': 'POST',
    'content-type': 'application/grpc',
    te: 'trailers',
  })
  hanging.on('error', () => {})
  hanging.write(Buffer.from([0, 0, 0, 0, 9]))
  expect(await client.unary('Policy/List')).toHaveProperty('agents')
})

test('unfinished messages are buffered up to a limit, over all connections of a caller', async () => {
  const { door, client } = await opened({ control: 'message_bytes = 65536\ncalls_at_once = 1000\n' })
  const limited: unknown[] = []
  const begin = (): void => {
    const session = http2To(door)
    for (let n = 0; n < 10; n++) {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/contextd.v1.Tools/Call',
        'content-type': 'application/json',
      })
      stream.on('error', () => {})
      stream.once('response', ({ ':status': code }) => limited.push(code))
      stream.write(Buffer.alloc(60_000, 'a'))
    }
  }
  begin()
  expect(await client.unary('Tools/List')).toHaveProperty('tools')
  expect(limited).toEqual([])
  begin()
  await until(() => limited.length > 0)
  expect(limited).toContain(429)
})

test('unread responses count towards the limit until they are dropped', async () => {
  const { door, client } = await opened({ control: 'calls_at_once = 4\n' })
  const session = connectHttp2('http://localhost', {
    createConnection: () => connect(door.socket),
    settings: { initialWindowSize: 0 },
  })
  session.on('error', () => {})
  ends.push(() => session.destroy())
  await once(session, 'remoteSettings')
  const answered: unknown[] = []
  for (let n = 0; n < 4; n++) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/contextd.v1.Tools/List',
      'content-type': 'application/json',
    })
    stream.once('response', ({ ':status': code }) => answered.push(code))
    stream.end('{}')
  }
  await until(() => answered.length === 4)
  expect(answered).toEqual([200, 200, 200, 200])
  await expect(client.unary('Tools/List')).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  session.destroy()
  await until(async () => (await client.unary('Tools/List').catch(() => undefined)) !== undefined)
})

test('stopping the server ends open calls, with an error', async () => {
  const { door, client } = await opened({ tools: doorTools() })
  const waiting = client.stream('Tools/Execute', { name: 'wait' })
  await once(waiting, 'data')
  const watching = client.stream('grpc.health.v1.Health/Watch', {})
  await once(watching, 'data')
  const over = [waiting, watching].map((call) =>
    once(call, 'error').then(([error]) => error as { code: number }),
  )
  watching.on('end', () => watching.emit('error', { code: status.UNAVAILABLE }))
  await door.close()
  ends.splice(0, 1)
  for (const error of await Promise.all(over)) {
    expect([status.UNAVAILABLE, status.CANCELLED]).toContain(error.code)
  }
  expect(existsSync(door.socket)).toBe(false)
})
