/** `contextd hook` as a client runs it, with each possible responder, and with broken ones. */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { composeRuntime, openRecords } from '../src/compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { clientSocket, resolvePaths } from '../src/platform/files/paths.ts'
import { serveClientHooks } from '../src/servers/hooks/client-hooks.ts'
import { runDaemon } from '../src/servers/daemon/daemon.ts'
import { sampleSecrets } from './support/registry.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'

let home: TempHome
beforeEach(() => {
  home = makeTempHome()
  // Runs after everything that a test started has ended; `afterEach` would run before that.
  onTestFinished(home.remove)
  setMode('friendly')
})

function setMode(mode: string): void {
  home.write('config/config.toml', `[http]\nport = 0\n[client]\nmode = "${mode}"\n`)
}

interface Answered {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function hook(name: string, input: string, more: NodeJS.ProcessEnv = {}): Promise<Answered> {
  const file = fileURLToPath(new URL('../bin/contextd.js', import.meta.url))
  const env = {
    PATH: process.env.PATH,
    HOME: join(home.path, 'person'),
    CLAUDE_PID: String(process.pid),
    ...home.env,
    ...more,
  }
  const child = spawn(process.execPath, [file, 'hook', ...name.split(' ')], { env, cwd: home.project })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr })))
}

const payload = (tool_name: string, tool_input: JsonObject, more: JsonObject = {}): string =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 'client-session',
    cwd: home.project,
    tool_name,
    tool_input,
    ...more,
  })

const forbidden = (): string => payload('Read', { file_path: join(home.path, 'state', 'contextd.db') })
const harmless = (): string => payload('Read', { file_path: 'README.md' })
const silent = { status: 0, stdout: '', stderr: '' }

function expectRefusal({ status, stdout, stderr }: Answered): void {
  expect([status, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
  })
}

async function startDaemon(): Promise<Awaited<ReturnType<typeof composeRuntime>>> {
  // In a folder that is not the project: a daemon serves all of them.
  const open = (cwd: string) => composeRuntime({ env: home.env, cwd, log: () => {} })
  const runtime = await open(home.path)
  const stop = new AbortController()
  let ended = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    ended = runDaemon(runtime, { stop: stop.signal, onReady: () => resolve(), open })
    ended.catch(reject)
  })
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  return runtime
}

async function impostor(answer: (socket: Socket) => void): Promise<void> {
  const { hookSocket } = resolvePaths(home.env)
  mkdirSync(dirname(hookSocket), { recursive: true, mode: 0o700 })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(hookSocket, resolve))
  onTestFinished(() => void server.close())
}

/** The MCP server of the client; this process plays the client. */
async function startServer(): Promise<{ serving(): boolean }> {
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
  const stop = await serveClientHooks(runtime, process.pid)
  onTestFinished(async () => {
    stop()
    await runtime.close()
  })
  const socket = clientSocket(runtime.paths, process.pid)
  return { serving: () => existsSync(socket) }
}

describe.each(['a daemon', 'the MCP server of the client', 'nobody'])('answered by %s', (who) => {
  beforeEach(async () => {
    if (who === 'a daemon') await startDaemon()
    if (who === 'the MCP server of the client') expect((await startServer()).serving()).toBe(true)
  })

  test('forbidden operations are denied, everything else is allowed', async () => {
    expectRefusal(await hook('protect', forbidden()))
    expect(await hook('protect', harmless())).toEqual(silent)
    const records = openRecords(home.env)
    onTestFinished(() => records.close())
    expect([...records.audit.query({ event: 'hook-refused' })].length).toBe(1)
  })

  test('a token issued in the session is not written or run in place of its secret', async () => {
    const [secret = ''] = sampleSecrets(1)
    const file_path = join(home.project, 'app.env')
    writeFileSync(file_path, `KEY=${secret}\n`)
    const seen = payload('Read', { file_path }, { hook_event_name: 'PostToolUse', tool_response: secret })
    expect((await hook('scrub', seen)).stdout).toContain('"[SECRET_1]"')
    for (const [tool, input] of [
      ['Write', { file_path, content: 'KEY=[SECRET_1]' }],
      ['Bash', { command: 'echo KEY=[SECRET_1] > app.env' }],
    ] as const) {
      expectRefusal(await hook('protect', payload(tool, input)))
      // It was never issued in another session.
      expect(await hook('protect', payload(tool, input, { session_id: 'another' }))).toEqual(silent)
    }
    const restored = payload('Write', { file_path, content: `KEY=${secret}\nNAME=x\n` })
    expect(await hook('protect', restored)).toEqual(silent)
  })

  test('untrusted project files are not recorded again by every hook', async () => {
    writeFileSync(join(home.project, '.mcp.json'), '{"mcpServers":{"tickets":{"command":"true"}}}')
    const ignored = (): number => {
      const records = openRecords(home.env)
      try {
        return [...records.audit.query({ event: 'servers-ignored' })].length
      } finally {
        records.close()
      }
    }
    const before = ignored()
    expect((await hook('protect', forbidden())).stdout).toContain('"deny"')
    if (who === 'nobody') expect(ignored()).toBe(before)
    const served = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
    await served.close()
    expect(ignored()).toBeGreaterThan(before)
  })

  test('without HOME in the environment, the home of the account is used', async () => {
    const agentFile = payload('Bash', { command: 'cat ~/.claude/agents/x.md' })
    expectRefusal(await hook('protect', agentFile, { HOME: undefined }))
  })

  test('files named by the map stay private while it has an error', async () => {
    const catalogue = payload('Read', { file_path: join(home.project, 'catalogue.md') })
    const map = `base = "${home.project}"\n[keys]\nk = { path = "catalogue.md" }\n`
    home.write('config/context-map.toml', map)
    expectRefusal(await hook('protect', catalogue))
    for (const mistake of ['other = 3\n', 'other = \n']) {
      home.write('config/context-map.toml', `${map}${mistake}`)
      expectRefusal(await hook('protect', catalogue))
    }
  })

  test('the mode is the current setting', async () => {
    const bash = payload('Bash', { command: 'ls' })
    expect(await hook('block-builtin', bash)).toEqual(silent)
    setMode('strict')
    expectRefusal(await hook('block-builtin', bash))
  })

  test('one process runs several hooks: the first decision applies', async () => {
    const both = 'protect block-builtin'
    expect(await hook(both, harmless())).toEqual(silent)
    const byProtect = await hook('protect', forbidden())
    expectRefusal(byProtect)
    expect(await hook(both, forbidden())).toEqual(byProtect)
    setMode('strict')
    const byMode = await hook('block-builtin', harmless())
    expectRefusal(byMode)
    expect(await hook(both, harmless())).toEqual(byMode)
    expect(await hook(both, forbidden())).toEqual(byProtect)
    const { status, stdout } = await hook('protect garbage', harmless())
    expect([status, stdout]).toEqual([2, ''])
  })

  test('invalid input stops the tool, with one line that does not quote it', async () => {
    const wrong = [
      await hook('protect', 'garbage'),
      await hook('protect', ''),
      await hook('protect', '{}'),
      await hook('protect', payload('Bash', {}, { tool_input: 'garbage' })),
      await hook('garbage', harmless()),
      await hook('constructor', harmless()),
    ]
    for (const { status, stdout, stderr } of wrong) {
      expect([status, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^contextd hook: .+\n$/)
      expect(stderr).not.toContain('garbage')
    }
  })

  test('after the tool has run, only ending the turn withholds its output', async () => {
    const { status, stdout } = await hook('garbage', payload('Bash', {}, { hook_event_name: 'PostToolUse' }))
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ continue: false, stopReason: expect.any(String) })
    // The client decides this, not the tool input.
    const nested = payload('x', { hook_event_name: 'PostToolUse' })
    expect((await hook('garbage', nested)).status).toBe(2)
  })

  test('hooks that only inform a session never stop it, whatever fails', async () => {
    const events = { 'pre-compact': 'PreCompact', 'session-start': 'UserPromptSubmit' }
    for (const [name, hook_event_name] of Object.entries(events)) {
      const { status, stdout, stderr } = await hook(name, 'garbage')
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^contextd hook: .+\n$/)
      const about = { hook_event_name, session_id: 's', cwd: home.project, prompt: 'x' }
      expect(await hook(name, JSON.stringify(about))).toEqual(silent)
    }
  })

  test('long input is accepted', async () => {
    const long = payload('Write', { file_path: 'x', content: 'line\n'.repeat(1 << 20) })
    expect(await hook('protect', long)).toEqual(silent)
  })
})

test('the MCP server of the client is tried first, and the socket of a dead one is removed', async () => {
  await impostor((socket) => socket.end('{"result":{"output":{"continue":false}}}\n'))
  const { run } = resolvePaths(home.env)
  const dead = join(run, 'client-4194305.sock')
  writeFileSync(dead, '')
  expect(await hook('protect', harmless())).not.toEqual(silent)
  await startServer()
  expect(await hook('protect', harmless())).toEqual(silent)
  expect(existsSync(dead)).toBe(false)
})

test('a daemon knows the private context of agents in every project', async () => {
  const send = payload('SendMessage', { to: 'scanner', message: 'x' })
  const runtime = await startDaemon()
  expect(await hook('protect', send)).toEqual(silent)

  const inProject = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
  onTestFinished(inProject.close)
  const client = { name: 'claude-code', version: '1', door: 'stdio' } as const
  const call = runtime.newCall({
    method: 'tool',
    session: inProject.sessions.join(client, 'client-session'),
    client,
    claims: { attested: { agent: 'scanner', instance: 'a1' } },
    tool: 'load_context',
    signal: new AbortController().signal,
  })
  inProject.privacy.remember(call, { text: 'the catalogue of things' })
  expectRefusal(await hook('protect', send))
})

test('a session started by a hook is the session of its client', async () => {
  const { store } = await startDaemon()
  const send = { to: 'scanner', message: 'x' }
  await hook('protect', payload('SendMessage', send, { session_id: 'one' }))
  await hook('protect', payload('SendMessage', send, { session_id: 'two', client: 'opencode' }))
  const sessions = store.rows('sessions', { tenant: 'local', project: home.project })
  expect(sessions.first({ client_session: 'one' })).toMatchObject({ client: 'claude-code/' })
  expect(sessions.first({ client_session: 'two' })).toMatchObject({ client: 'opencode/' })
})

describe('another program answers in place of the daemon', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['it hangs up', (socket) => socket.destroy()],
    ['it is older', (socket) => socket.end('{"error":{"code":"INVALID_REQUEST","message":"?"}}\n')],
    ['it sends an invalid response', (socket) => socket.end('{"result":7}\n')],
    ['it does not send JSON', (socket) => socket.end('hello\n')],
  ])('%s', async (_, answer) => {
    await impostor((socket) => socket.once('data', () => answer(socket)))
    expectRefusal(await hook('protect', forbidden()))
    expect(await hook('protect', harmless())).toEqual(silent)
  })
})

describe('if contextd itself is broken', () => {
  test('a hook that needs no store works without it, and one that needs it stops the tool', async () => {
    home.write('state/contextd.db', 'not a database, and long enough to be looked at '.repeat(20))
    expect(await hook('block-builtin', payload('Bash', {}))).toEqual(silent)
    expect(await hook('protect', harmless())).toEqual(silent)
    expectRefusal(await hook('protect', forbidden()))
    const { status, stdout } = await hook('protect', payload('SendMessage', { to: 'x', message: 'x' }))
    expect([status, stdout]).toEqual([2, ''])
  })

  test('a configuration that cannot be read stops the tool', async () => {
    home.write('config/config.toml', 'garbage')
    const { status, stdout } = await hook('block-builtin', payload('Bash', {}))
    expect([status, stdout]).toEqual([2, ''])
  })
})
