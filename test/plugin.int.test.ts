import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { pluginFiles } from '../scripts/plugin-files.ts'
import { initialize } from './support/stdio-door.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const source = join(repository, 'integrations', 'claude-code')

/** The files of a clone that are needed to build and run it. */
const cloned = [
  'assets',
  'bin',
  'integrations',
  'package-lock.json',
  'package.json',
  'packages',
  'proto',
  'schema',
  'scripts',
  'src',
]

/** A home, a project and an installation from a git URL: a clone, and a copy of the plugin elsewhere. */
let root: string
let clone: string
let plugin: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contextd-plugin-'))
  for (const name of ['home', 'project', 'bin']) mkdirSync(join(root, name))
  clone = join(root, 'plugins', 'marketplaces', 'contextd')
  for (const name of cloned) {
    cpSync(join(repository, name), join(clone, name), { recursive: true, filter: isCloned })
  }
  mkdirSync(join(clone, '.git'))
  writeFileSync(join(clone, '.git', 'HEAD'), 'first-commit\n')
  plugin = join(root, 'plugins', 'cache', 'contextd', 'contextd', '0.1.0')
  cpSync(source, plugin, { recursive: true })
  symlinkSync(process.execPath, join(root, 'bin', 'node'))
})
/** Stops started processes before their folders are removed. */
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
  rmSync(root, { recursive: true, force: true })
})

const isCloned = (path: string): boolean =>
  !/\/(?:node_modules|dist|fixtures|oracle)(?:\/|$)|\.test\.ts$/.test(path)

/** Like `npm ci && npm run build`. */
function buildClone(): void {
  for (const name of ['node_modules', 'dist']) symlinkSync(join(repository, name), join(clone, name))
  mkdirSync(join(clone, '.cache'))
  writeFileSync(join(clone, '.cache', 'built-commit'), 'first-commit')
}

/** A slow fake npm that records each run and provides the packages of this repository. */
function putNpm(): void {
  const script = `#!${process.execPath}
    const { appendFileSync, symlinkSync } = require('node:fs')
    appendFileSync(${JSON.stringify(join(root, 'npm-runs'))}, process.argv.slice(2, 5).join(' ') + '\\n')
    setTimeout(() => symlinkSync(${JSON.stringify(join(repository, 'node_modules'))}, 'node_modules'), 300)`
  writeFileSync(join(root, 'bin', 'npm'), script, { mode: 0o755 })
}

const npmRuns = (): string[] =>
  existsSync(join(root, 'npm-runs')) ? readFileSync(join(root, 'npm-runs'), 'utf8').trim().split('\n') : []

function environment(): NodeJS.ProcessEnv {
  return { PATH: join(root, 'bin'), HOME: join(root, 'home'), CLAUDE_PLUGIN_DATA: join(root, 'data') }
}

interface Server {
  ask(method: string, params: JsonObject): Promise<JsonObject>
  readonly ended: Promise<{ code: number | null; stderr: string }>
}

function startServer(folder = plugin): Server {
  const child = spawn('node', [join(folder, 'server/start.mjs')], {
    cwd: join(root, 'project'),
    env: environment(),
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {})
  const waiting = new Map<unknown, (answer: JsonObject) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line) as JsonObject
    waiting.get(message.id)?.(message)
  })
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stderr })),
  )
  ends.push(() => {
    child.kill('SIGKILL')
    return ended
  })
  let id = 0
  return {
    ask: (method, params) =>
      new Promise((resolve) => {
        id += 1
        waiting.set(id, resolve)
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      }),
    ended,
  }
}

async function firstCall({ ask }: Server): Promise<JsonObject> {
  await ask('initialize', initialize.params)
  return ask('tools/call', { name: 'safe_write', arguments: { path: 'a.txt', content: 'hello\n' } })
}

const written = { result: { content: [{ text: 'created: lines +1, 6 bytes' }] } }

const payload = JSON.stringify({
  hook_event_name: 'SessionStart',
  session_id: 'one',
  transcript_path: '/none.jsonl',
  cwd: '/',
  source: 'startup',
})

function run(file: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const options = { env: environment(), encoding: 'utf8', input: payload } as const
  return spawnSync('node', [join(plugin, file), ...args], options)
}

function sessionStart(): string {
  const { status, stdout } = run('server/session-start.mjs')
  expect(status).toBe(0)
  return stdout
}

const builtCommit = (): string => readFileSync(join(clone, '.cache', 'built-commit'), 'utf8')

test('in place, in a repository that is built, the first call works and nothing is installed', async () => {
  putNpm()
  buildClone()
  expect(await firstCall(startServer(join(clone, 'integrations', 'claude-code')))).toMatchObject(written)
  expect(npmRuns()).toEqual([])
})

test('a copy of the plugin runs the clone its marketplace was made from', async () => {
  putNpm()
  buildClone()
  expect(sessionStart()).toBe('')
  expect(await firstCall(startServer())).toMatchObject(written)
  expect(run('server/bin/ctxd.js', 'audit', 'verify')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('none changed'),
  })
  expect(npmRuns()).toEqual([])
})

test('in the npm package, which has no scripts, the built program runs', async () => {
  buildClone()
  rmSync(join(clone, 'scripts'), { recursive: true })
  expect(await firstCall(startServer())).toMatchObject(written)
})

test('servers, hooks and commands that start together build a clone once', async () => {
  putNpm()
  const servers = [startServer(), startServer()]
  expect(run('server/bin/contextd.js', 'hook', 'scrub')).toMatchObject({ status: 0 })
  expect(sessionStart()).not.toContain('could not')
  for (const answer of await Promise.all(servers.map(firstCall))) expect(answer).toMatchObject({ result: {} })
  expect(readFileSync(join(root, 'project', 'a.txt'), 'utf8')).toBe('hello\n')
  expect(npmRuns()).toEqual(['ci --include=dev --ignore-scripts'])
  expect(builtCommit()).toBe('first-commit')
  // Updated by the client: rebuilt with the existing packages.
  writeFileSync(join(clone, '.git', 'HEAD'), 'second-commit\n')
  expect(sessionStart()).not.toContain('could not')
  expect(builtCommit()).toBe('second-commit')
  expect(npmRuns()).toHaveLength(1)
})

test('without npm the server says why and exits, and the session shows it to the user', async () => {
  const { code, stderr } = await startServer().ended
  expect(code).toBe(78)
  expect(stderr).toMatch(/^contextd could not be built: npm is not installed\./)
  expect(stderr).toContain('npm ci && npm run build')
  const { systemMessage } = JSON.parse(sessionStart()) as { systemMessage: string }
  expect(stderr).toContain(systemMessage)
  // A hook that cannot run fails, so that the client blocks the call.
  expect(run('server/bin/contextd.js', 'hook', 'scrub')).toMatchObject({ status: 78, stdout: '' })
})

test('a build that fails is reported, and the previous one keeps working', async () => {
  buildClone()
  rmSync(join(clone, 'node_modules'))
  writeFileSync(join(clone, '.git', 'HEAD'), 'second-commit\n')
  expect(sessionStart()).toContain('npm is not installed')
  symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'))
  rmSync(join(clone, 'scripts', 'build.mjs'))
  expect(sessionStart()).toContain('build.mjs')
  expect(await firstCall(startServer())).toMatchObject(written)
})

test('a plugin without its repository says how to install it', async () => {
  rmSync(clone, { recursive: true })
  expect(sessionStart()).toContain('claude plugin marketplace add')
  expect((await startServer().ended).stderr).toContain('claude plugin marketplace add')
})

test('everything the plugin refers to exists in it', () => {
  const read = (file: string): string => readFileSync(join(source, file), 'utf8')
  const named = [
    ...`${read('.mcp.json')}${read('hooks/hooks.json')}`.matchAll(/\$\{CLAUDE_PLUGIN_ROOT\}\/([^"]+)/g),
  ]
  expect(named.length).toBeGreaterThan(3)
  for (const [, file = ''] of named) expect(existsSync(join(source, file)), file).toBe(true)
  expect(JSON.parse(read('.claude-plugin/plugin.json'))).toMatchObject({ name: 'contextd' })
  expect(dirname(source).endsWith('integrations')).toBe(true)
})

test('its generated files are current', () => {
  for (const [path, text] of pluginFiles()) expect(readFileSync(path, 'utf8'), path).toBe(text)
})
