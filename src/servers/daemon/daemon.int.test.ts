import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime, type Runtime } from '../../compose.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import { setUpTls } from '../../platform/tls/changes.ts'
import { controlTools } from '../control/control-tools.ts'
import { runDaemon } from './daemon.ts'
import type { DaemonStatus } from '../local/running-daemon.ts'
import { askDaemon } from '../local/hook-socket.ts'

let home: TempHome
beforeEach(() => {
  home = makeTempHome()
  configure('127.0.0.1')
})
afterEach(() => home.remove())

function configure(host: string): void {
  home.write('config/config.toml', `[http]\nhost = "${host}"\nport = 0\n`)
}

interface RunningDaemon {
  readonly status: DaemonStatus
  readonly runtime: Runtime
  stop(): Promise<void>
}

async function start(): Promise<RunningDaemon> {
  const open = (cwd: string): Promise<Runtime> =>
    composeRuntime({ env: home.env, cwd, log: () => {}, control: controlTools })
  const runtime = await open(home.project)
  const stop = new AbortController()
  let ready: (status: DaemonStatus) => void = () => {}
  const becameReady = new Promise<DaemonStatus>((resolve) => (ready = resolve))
  const ended = runDaemon(runtime, { stop: stop.signal, onReady: (status) => ready(status), open })
  const status = await Promise.race([becameReady, ended.then(() => Promise.reject(new Error('it ended')))])
  return {
    status,
    runtime,
    async stop() {
      stop.abort()
      await ended
    },
  }
}

const tokenFile = (): string => join(home.path, 'state', 'keys', 'http-token')

test('starts with defaults, accepts the token it created, and leaves only its state behind', async () => {
  const daemon = await start()
  expect(daemon.status.connect).toContain(tokenFile())
  expect(daemon.status.connect).not.toContain(readFileSync(tokenFile(), 'utf8').trim())
  expect(statSync(tokenFile()).mode & 0o777).toBe(0o600)
  const ask = (authorization: string): Promise<Response> =>
    fetch(daemon.status.mcp.replace('/mcp', '/metrics'), { headers: { authorization } })
  expect((await ask(`Bearer ${readFileSync(tokenFile(), 'utf8').trim()}`)).status).toBe(200)
  expect((await ask('Bearer nothing')).status).toBe(401)
  await daemon.stop()
  expect(existsSync(join(home.path, 'run', 'contextd.pid'))).toBe(false)
})

test('reuses its token at the next start', async () => {
  await (await start()).stop()
  const first = readFileSync(tokenFile(), 'utf8')
  await (await start()).stop()
  expect(readFileSync(tokenFile(), 'utf8')).toBe(first)
})

test('the status says what `ctxd tls init` needs to take effect, and what has taken effect', async () => {
  home.write('config/config.toml', '[http]\nport = 0\n[control]\nport = 0\n')
  const first = await start()
  const { paths, store } = first.runtime
  const grpcNow = async (): Promise<string> =>
    ((await askDaemon(paths.hookSocket, { method: 'status' })) as DaemonStatus).grpc
  expect(await grpcNow()).toBe('closed to other machines until `ctxd tls init` and a restart')
  setUpTls({ folder: paths.tls, store, tenant: LOCAL_TENANT, clock: Date.now }, ['localhost'])
  expect(await grpcNow()).toBe('closed to other machines until a restart: `ctxd stop`, then `ctxd start`')
  await first.stop()
  const second = await start()
  expect(second.status.grpc).toMatch(/^127\.0\.0\.1:\d+$/)
  expect(await grpcNow()).toBe(second.status.grpc)
  await second.stop()
})

test('a second daemon reports the first and leaves it running', async () => {
  const first = await start()
  await expect(start()).rejects.toMatchObject({ code: 'DAEMON_ALREADY_RUNNING' })
  expect(await askDaemon(first.runtime.paths.hookSocket, { method: 'status' })).toMatchObject({
    pid: process.pid,
  })
  await first.stop()
})

test('starts despite a pid file left by a killed daemon', async () => {
  await (await start()).stop()
  writeFileSync(join(home.path, 'run', 'contextd.pid'), `${process.ppid}\n`)
  writeFileSync(join(home.path, 'run', 'hook.sock'), '')
  await (await start()).stop()
})

test('a daemon that is slow to answer keeps its place, one that is gone does not', async () => {
  const { run, pidFile, hookSocket } = resolvePaths(home.env)
  mkdirSync(run, { mode: 0o700 })
  writeFileSync(pidFile, `${process.ppid}\n`)
  utimesSync(pidFile, 1, 1)
  const slow = createServer((socket) => void socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => slow.listen(hookSocket, resolve))
  await expect(start()).rejects.toMatchObject({
    code: 'DAEMON_ALREADY_RUNNING',
    details: { pid: process.ppid },
  })
  await new Promise((resolve) => slow.close(resolve))
  await (await start()).stop()
})

test('requires a token created by the user before other machines can connect', async () => {
  configure('0.0.0.0')
  await expect(start()).rejects.toMatchObject({ code: 'LISTEN_FAILED' })
  expect(existsSync(tokenFile())).toBe(false)
  const runtime = await composeRuntime({ env: home.env, cwd: home.project })
  runtime.tokens.create('main', 'for the team')
  await runtime.close()
  const daemon = await start()
  expect(daemon.status.mcp).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  await daemon.stop()
})

test('does not offer a token whose agent was removed from the rules', async () => {
  const daemon = await start()
  const changed = new Promise<void>((resolve) => daemon.runtime.rules.onChange(resolve))
  home.write('config/rules.json', { agents: { other: { allow: { servers: ['contextd'] } } } })
  daemon.runtime.rules.refresh()
  await changed
  const status = (await askDaemon(daemon.runtime.paths.hookSocket, { method: 'status' })) as DaemonStatus
  expect(status.connect).toContain('ctxd agents token create')
  await daemon.stop()
})

test('stops on request over its socket', async () => {
  const daemon = await start()
  expect(await askDaemon(daemon.runtime.paths.hookSocket, { method: 'stop' })).toEqual({
    stopping: true,
  })
  await daemon.stop()
  await expect(askDaemon(daemon.runtime.paths.hookSocket, { method: 'status' })).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
  })
})

test('keeps its pid file until everything is written, because files may be removed after that', async () => {
  const { runtime, stop } = await start()
  const close = runtime.close.bind(runtime)
  const isPlaceTaken: boolean[] = []
  vi.spyOn(runtime, 'close').mockImplementation(async () => {
    await close()
    isPlaceTaken.push(existsSync(runtime.paths.pidFile))
  })
  await stop()
  isPlaceTaken.push(existsSync(runtime.paths.pidFile))
  expect(isPlaceTaken).toEqual([true, false])
})

test('reports and records an untrusted project file at the start', async () => {
  home.write('project/.contextd/rules.json', { agents: { main: { allow: { servers: ['*'] } } } })
  const daemon = await start()
  expect(daemon.status.rules).toContain('is not trusted')
  const events = daemon.runtime.store.prepare('SELECT event FROM audit WHERE event IS NOT NULL').all()
  expect(events.map(({ event }) => event)).toContain('rules-ignored')
  await daemon.stop()
})

test('does not replace a token that the user revoked', async () => {
  const daemon = await start()
  const [token] = daemon.runtime.tokens.list()
  daemon.runtime.tokens.revoke(token?.id ?? '')
  await daemon.stop()
  const again = await start()
  expect(again.runtime.tokens.list()).toHaveLength(1)
  expect(again.status.connect).toContain('ctxd agents token create')
  await again.stop()
})

test('stops even if the store is not writable', async () => {
  const daemon = await start()
  daemon.runtime.store.prepare('PRAGMA query_only = on').get()
  await daemon.stop()
  expect(existsSync(join(home.path, 'run', 'contextd.pid'))).toBe(false)
  await expect(fetch(daemon.status.mcp)).rejects.toThrow('fetch failed')
})
