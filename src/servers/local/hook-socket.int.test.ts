import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { ContextdError } from '../../core/errors/errors.ts'
import {
  askDaemon,
  converse,
  maxLine,
  serveHookSocket,
  type HookSocket,
  type SocketLine,
} from './hook-socket.ts'

let folder: string
let path: string
let server: Server | HookSocket | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-sock-'))
  path = join(folder, 'hook.sock')
})
afterEach(() => {
  server?.close()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** Everything the server sends until it closes the connection or has sent `count` lines. */
function talk(bytes: string, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect(path)
    let received = ''
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk: string) => {
      received += chunk
      if (received.split('\n').length > count) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received.split('\n').filter(Boolean)))
  })
}

test('answers requests of this user only', async () => {
  server = await serveHookSocket(path, { echo: (request) => request.value ?? null })
  expect(await askDaemon(path, { method: 'echo', value: 7 })).toBe(7)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('answers an invalid line with an error, and the next line normally', async () => {
  server = await serveHookSocket(path, { echo: () => 'ok' })
  const [first = '', second = '', third = ''] = await talk(
    'garbage\n{"method":"constructor"}\n{"method":"echo"}\n',
    3,
  )
  expect(JSON.parse(first)).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
  expect(JSON.parse(second)).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
  expect(JSON.parse(third)).toEqual({ result: 'ok' })
})

test('disconnects an endless line', async () => {
  server = await serveHookSocket(path, { echo: () => 'ok' })
  expect(await talk('x'.repeat(maxLine + 1), 1)).toEqual([])
  expect(await askDaemon(path, { method: 'echo' })).toBe('ok')
})

test('accepts long requests and sends long answers', async () => {
  server = await serveHookSocket(path, { echo: (request) => request.value ?? null })
  const value = 'long line '.repeat(1 << 20)
  expect(await askDaemon(path, { method: 'echo', value })).toBe(value)
})

test('answers with the error of a failing handler', async () => {
  server = await serveHookSocket(path, {
    fail: () => {
      throw new ContextdError('NOT_FOUND', { what: 'thing' })
    },
  })
  await expect(askDaemon(path, { method: 'fail' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('replaces a stale socket file, and reports a missing daemon', async () => {
  await expect(askDaemon(path, { method: 'echo' })).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
  })
  writeFileSync(path, '')
  await expect(askDaemon(path, { method: 'echo' })).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
  })
  server = await serveHookSocket(path, { echo: () => 'ok' })
  expect(await askDaemon(path, { method: 'echo' })).toBe('ok')
})

test('does not wait for a peer that only sends a little now and then', async () => {
  server = createServer((socket) => {
    const trickle = setInterval(() => socket.write(' '), 20)
    socket.on('error', () => {}).on('close', () => clearInterval(trickle))
  }).listen(path)
  await expect(askDaemon(path, { method: 'echo' }, 200)).rejects.toMatchObject({ code: 'DAEMON_NOT_RUNNING' })
})

test('reports a path that cannot be a socket', async () => {
  await expect(serveHookSocket(join(folder, 'x'.repeat(200)), {})).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
  })
})

test('sends events before the answer, in order', async () => {
  server = await serveHookSocket(path, {
    count(_, { send }) {
      for (const n of [1, 2, 3]) send({ n })
      return 'done'
    },
  })
  const heard: unknown[] = []
  expect(await converse(path, { method: 'count' }, { onEvent: (event) => heard.push(event) })).toBe('done')
  expect(heard).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  // Callers that ignore events still get the answer.
  expect(await askDaemon(path, { method: 'count' })).toBe('done')
})

/** A method that never answers, and its request. */
function endless(): {
  method: (request: object, line: SocketLine) => Promise<never>
  told: Promise<void>
  begun: Promise<void>
} {
  let tell = (): void => {}
  let begin = (): void => {}
  const told = new Promise<void>((resolve) => (tell = resolve))
  const begun = new Promise<void>((resolve) => (begin = resolve))
  return {
    told,
    begun,
    method(_, { signal }) {
      begin()
      signal.addEventListener('abort', tell)
      return new Promise(() => {})
    },
  }
}

test('a client that closes its end cancels its request', async () => {
  const { method, told, begun } = endless()
  server = await serveHookSocket(path, { wait: method })
  const stop = new AbortController()
  const asked = converse(path, { method: 'wait' }, { signal: stop.signal })
  await begun
  stop.abort()
  await expect(asked).rejects.toMatchObject({ name: 'NoAnswer', wasAsked: true })
  await told
})

test('a server that closes cancels running requests, and the callers notice', async () => {
  const { method, told, begun } = endless()
  server = await serveHookSocket(path, { wait: method })
  const asked = converse(path, { method: 'wait' })
  await begun
  server.close()
  await expect(asked).rejects.toMatchObject({ name: 'NoAnswer', wasAsked: true })
  await told
  await expect(converse(path, { method: 'wait' })).rejects.toMatchObject({ wasAsked: false })
})

test('sends nothing if other users could have created the socket', async () => {
  let asked = 0
  server = await serveHookSocket(path, { echo: () => (asked += 1) })
  for (const mode of [0o777, 0o770, 0o702]) {
    chmodSync(folder, mode)
    await expect(askDaemon(path, { method: 'echo' })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    })
  }
  expect(asked).toBe(0)
  chmodSync(folder, 0o755)
  expect(await askDaemon(path, { method: 'echo' })).toBe(1)
  // Without a socket, a daemon can still be started: it makes the folder private.
  chmodSync(folder, 0o777)
  await expect(askDaemon(join(folder, 'none.sock'), {})).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
  })
})

test.runIf(process.getuid?.() === 0)('sends nothing to a folder of another user (needs root)', async () => {
  server = await serveHookSocket(path, { echo: () => 1 })
  expect(await askDaemon(path, { method: 'echo' })).toBe(1)
  chownSync(folder, 65_534, 65_534)
  await expect(askDaemon(path, { method: 'echo' })).rejects.toThrow(/belongs to another user/)
})
