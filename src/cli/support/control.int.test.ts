import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { bundleScript } from '../../../test/support/bundled-script.ts'
import { fakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime, openRecords, type Runtime } from '../../compose.ts'
import { CodedError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { resolvePaths } from '../../platform/files/paths.ts'
import { controlTools } from '../../servers/control/control-tools.ts'
import { runDaemon } from '../../servers/daemon/daemon.ts'
import { withControl, type ControlApi } from './control.ts'
import type { CliIo } from '@contextd/shared/cli/output'

let home: TempHome
let stops: (() => Promise<void> | void)[]

beforeEach(() => {
  home = makeTempHome()
  stops = []
  home.write('config/config.toml', '[http]\nport = 0\n[control]\nport = 0\n')
})
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  home.remove()
})

function ioIn(cwd = home.project): CliIo {
  return fakeIo({ env: home.env, cwd }).io
}

/** A daemon in this process, with its own folder. */
async function startDaemon(): Promise<void> {
  const cwd = join(home.path, 'elsewhere')
  mkdirSync(cwd, { recursive: true })
  const open = (folder: string): Promise<Runtime> =>
    composeRuntime({ env: home.env, cwd: folder, log: () => {}, control: controlTools })
  const runtime = await open(cwd)
  const stop = new AbortController()
  let ready = (): void => {}
  const becameReady = new Promise<void>((resolve) => (ready = resolve))
  const ended = runDaemon(runtime, { stop: stop.signal, onReady: () => ready(), open })
  stops.push(async () => {
    stop.abort()
    await ended
  })
  await Promise.race([becameReady, ended])
}

type Asked = (api: ControlApi) => Promise<JsonObject>

/** The outcome as a value. */
async function outcome(io: CliIo, ask: Asked): Promise<unknown> {
  try {
    return await withControl(io, ask)
  } catch (error) {
    if (error instanceof CodedError) return error.toObject()
    throw error
  }
}

const asked: Record<string, Asked> = {
  'a list': (api) => api.call('Agents/List', {}),
  'a file of the folder the command is in': (api) => api.call('SafeExec/Read', { path: 'here.txt' }),
  'a tool that fails': (api) => api.call('SafeExec/Read', { path: 'none.txt' }),
  'wrong arguments': (api) => api.call('Tools/Call', { name: 'safe_read', arguments: { path: 7 } }),
  'an agent that may not': (api) => api.call('Agents/List', {}, { agent: 'main' }),
  'an agent that nobody knows': (api) => api.call('Tools/List', {}, { agent: 'nobody' }),
  'an unknown call': (api) => api.call('Audit/Show', { call: 'none' }),
}

test.each(Object.keys(asked))('%s is the same everywhere', async (name) => {
  home.write('project/here.txt', 'here\n')
  const ask = asked[name]!
  const here = await outcome(ioIn(), ask)
  await startDaemon()
  expect(await outcome(ioIn(), ask)).toEqual(here)
})

test("asks a running daemon, which works in the command's folder", async () => {
  home.write('project/here.txt', 'here\n')
  expect(await withControl(ioIn(), async ({ where }) => where)).toBe('here')
  await startDaemon()
  await withControl(ioIn(), async (api) => {
    expect(api.where).toBe('daemon')
    expect(await api.call('SafeExec/Read', { path: 'here.txt' })).toMatchObject({ text: '1\there\n' })
    const { entries } = await api.call('Audit/Query', { tool: 'safe_read', limit: 1 })
    expect(entries).toMatchObject([{ project: realpathSync(home.project), door: 'cli' }])
  })
  await expect(
    withControl(ioIn(join(home.path, 'gone')), (api) => api.call('Agents/List', {})),
  ).rejects.toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' })
})

test('refuses an invalid request with its location', async () => {
  await startDaemon()
  const ask = (request: JsonObject): Promise<unknown> =>
    outcome(ioIn(), (api) => api.call('Audit/Query', request))
  expect(await ask({ limit: 'hunter2' })).toMatchObject({ code: 'INVALID_REQUEST' })
  expect(JSON.stringify(await ask({ hunter: 'hunter2' }))).not.toContain('hunter2')
  expect(await ask({ limit: 1 })).toHaveProperty('entries')
})

test.each(['here', 'daemon'] as const)(
  'events come while it runs, and it ends when told to: %s',
  async (where) => {
    if (where === 'daemon') await startDaemon()
    const stop = new AbortController()
    const heard: JsonObject[] = []
    const followed = withControl(ioIn(), (api) => {
      expect(api.where).toBe(where)
      return api.stream(
        'Audit/Tail',
        { follow: true, limit: 1 },
        (event) => {
          heard.push(event)
          stop.abort()
        },
        { signal: stop.signal },
      )
    })
    const cancelled = expect(followed).rejects.toMatchObject({ code: 'CANCELLED' })
    // Calls by others are recorded too.
    while (heard.length === 0) await withControl(ioIn(), (api) => api.call('Tools/List', {}))
    await cancelled
    expect(heard[0]).toHaveProperty('record')
  },
)

/** Answers `status` like a daemon, and calls as scripted. */
async function pretend(onCall: (answer: (text: string) => void, hangUp: () => void) => void): Promise<void> {
  const { run, hookSocket } = resolvePaths(home.env)
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      if (bytes.includes('"status"')) return socket.write('{"result":{}}\n')
      return onCall(
        (text) => socket.write(text),
        () => socket.destroy(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(hookSocket, resolve))
  stops.push(() => void server.close())
}

test('reports that the daemon ended during a call, without retrying', async () => {
  let calls = 0
  await pretend((_, hangUp) => {
    calls += 1
    hangUp()
  })
  const write = (api: ControlApi): Promise<JsonObject> =>
    api.call('Config/Set', { key: 'log.level', value: 'warn' })
  expect(await outcome(ioIn(), write)).toMatchObject({
    code: 'DAEMON_LOST',
    message: 'The connection to the daemon ended before Config/Set was answered',
    hint: expect.stringContaining('ctxd audit query'),
  })
  expect(calls).toBe(1)
})

test('treats partial or invalid answers as no answer', async () => {
  for (const said of ['{"result":{"a"', 'hello\n', '7\n']) {
    await pretend((answer, hangUp) => {
      answer(said)
      hangUp()
    })
    expect(await outcome(ioIn(), (api) => api.call('Agents/List', {}))).toMatchObject({ code: 'DAEMON_LOST' })
    await stops.pop()?.()
  }
})

test('reports and records that a daemon was killed with SIGKILL during a call', async () => {
  const script = await bundleScript('test/support/slow-daemon.ts')
  stops.push(() => script.remove())
  const daemon = spawn(process.execPath, [script.path], {
    env: { ...process.env, ...home.env },
    cwd: home.project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stops.push(() => void daemon.kill('SIGKILL'))
  await said(daemon, 'ready')
  const running = said(daemon, 'running')
  const call = outcome(ioIn(), (api) => api.call('Tools/Call', { name: 'endless' }))
  await running
  daemon.kill('SIGKILL')
  expect(await call).toMatchObject({ code: 'DAEMON_LOST' })
  const records = openRecords(home.env)
  const [entry] = records.audit.query({ tool: 'endless', limit: 10 })
  records.close()
  expect(entry).toMatchObject({ status: 'open', tool: 'endless' })
  // Its leftovers do not affect the next command.
  expect(await withControl(ioIn(), async ({ where }) => where)).toBe('here')
})

function said({ stdout }: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve) => {
    const listen = (bytes: Buffer): void => {
      if (!bytes.includes(word)) return
      stdout?.off('data', listen)
      resolve()
    }
    stdout?.on('data', listen)
  })
}
