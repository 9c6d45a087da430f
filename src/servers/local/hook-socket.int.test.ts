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

/** Everything the server says until it closes the line or has said `count` lines. */
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

test('answers what it is asked, and only this user may ask', async () => {
  server = await serveHookSocket(path, { echo: (request) => request.value ?? null })
  expect(await askDaemon(path, { method: 'echo', value: 7 })).toBe(7)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('nonsense gets an error and the next line an answer', async () => {
  server = await serveHookSocket(path, { echo: () => 'ok' })
  const [first = '', second = '', third = ''] = await talk(
    'garbage\n{"method":"constructor"}\n{"method":"echo"}\n',
    3,
  )
  expect(JSON.parse(first)).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
  expect(JSON.parse(second)).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
  expect(JSON.parse(third)).toEqual({ result: 'ok' })
})

test('an endless line is cut off', async () => {
  server = await serveHookSocket(path, { echo: () => 'ok' })
  expect(await talk('x'.repeat(maxLine + 1), 1)).toEqual([])
  expect(await askDaemon(path, { method: 'echo' })).toBe('ok')
})

test('what a hook brings may be long, and so may the answer', async () => {
  server = await serveHookSocket(path, { echo: (request) => request.value ?? null })
  const value = 'long line '.repeat(1 << 20)
  expect(await askDaemon(path, { method: 'echo', value })).toBe(value)
})

test('a failing handler answers its error', async () => {
  server = await serveHookSocket(path, {
    fail: () => {
      throw new ContextdError('NOT_FOUND', { what: 'thing' })
    },
  })
  await expect(askDaemon(path, { method: 'fail' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a stale socket file does not stand in the way, a missing daemon is said plainly', async () => {
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

test('who sends a little now and then is not waited for', async () => {
  server = createServer((socket) => {
    const trickle = setInterval(() => socket.write(' '), 20)
    socket.on('error', () => {}).on('close', () => clearInterval(trickle))
  }).listen(path)
  await expect(askDaemon(path, { method: 'echo' }, 200)).rejects.toMatchObject({ code: 'DAEMON_NOT_RUNNING' })
})

test('a path that cannot be a socket is a clear error', async () => {
  await expect(serveHookSocket(join(folder, 'x'.repeat(200)), {})).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
  })
})

test('events come before the answer, in their order', async () => {
  server = await serveHookSocket(path, {
    count(_, { send }) {
      for (const n of [1, 2, 3]) send({ n })
      return 'done'
    },
  })
  const heard: unknown[] = []
  expect(await converse(path, { method: 'count' }, { onEvent: (event) => heard.push(event) })).toBe('done')
  expect(heard).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  // Whoever asks without an ear for them gets the answer all the same.
  expect(await askDaemon(path, { method: 'count' })).toBe('done')
})

/** A method that never answers, and what it is told. */
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

test('a client that closes its end cancels what it asked for', async () => {
  const { method, told, begun } = endless()
  server = await serveHookSocket(path, { wait: method })
  const stop = new AbortController()
  const asked = converse(path, { method: 'wait' }, { signal: stop.signal })
  await begun
  stop.abort()
  await expect(asked).rejects.toMatchObject({ name: 'NoAnswer', wasAsked: true })
  await told
})

test('a server that goes ends what is still being done, and whoever waits learns it', async () => {
  const { method, told, begun } = endless()
  server = await serveHookSocket(path, { wait: method })
  const asked = converse(path, { method: 'wait' })
  await begun
  server.close()
  await expect(asked).rejects.toMatchObject({ name: 'NoAnswer', wasAsked: true })
  await told
  await expect(converse(path, { method: 'wait' })).rejects.toMatchObject({ wasAsked: false })
})

test('asks nobody where others could have put the socket', async () => {
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
  // Where there is none, one can still be started: it closes the folder.
  chmodSync(folder, 0o777)
  await expect(askDaemon(join(folder, 'none.sock'), {})).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
  })
})

test.runIf(process.getuid?.() === 0)('asks nobody in a folder of another user (needs root)', async () => {
  server = await serveHookSocket(path, { echo: () => 1 })
  expect(await askDaemon(path, { method: 'echo' })).toBe(1)
  chownSync(folder, 65_534, 65_534)
  await expect(askDaemon(path, { method: 'echo' })).rejects.toThrow(/belongs to another user/)
})
