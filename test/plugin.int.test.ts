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

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { hasBuiltIn } from '../src/platform/storage/sqlite.ts'
import { initialize } from './support/stdio-door.ts'

const source = fileURLToPath(new URL('../integrations/claude-code', import.meta.url))
const packages = fileURLToPath(new URL('../node_modules', import.meta.url))

/** A home, a project and the plugin by themselves: no packages in any folder above. */
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contextd-plugin-'))
  for (const name of ['home', 'project', 'bin']) mkdirSync(join(root, name))
  cpSync(source, join(root, 'plugin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'bin', 'node'))
})
/** Ends what was started, before its folders go. */
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
  rmSync(root, { recursive: true, force: true })
})

/** Stands for npm: takes its time, counts its runs, and brings the packages that are here already. */
function putNpm(): void {
  const script = `#!${process.execPath}
    const { appendFileSync, cpSync } = require('node:fs')
    appendFileSync(${JSON.stringify(join(root, 'npm-runs'))}, process.argv.slice(2, 4).join(' ') + '\\n')
    setTimeout(() => {
      for (const name of ['@photostructure/sqlite', 'node-gyp-build'])
        cpSync(${JSON.stringify(packages)} + '/' + name, 'node_modules/' + name, { recursive: true })
    }, 300)`
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

function startServer(): Server {
  const child = spawn('node', [join(root, 'plugin/server/start.mjs')], {
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

const written = { result: { structuredContent: { data: { done: 'created', bytes: 6 } } } }

function sessionStart(): string {
  const { status, stdout } = spawnSync('node', [join(root, 'plugin/server/session-start.mjs')], {
    env: environment(),
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  return stdout
}

describe.runIf(hasBuiltIn())('on a Node with a SQLite of its own', () => {
  test('the first call works, and nothing is installed', async () => {
    putNpm()
    expect(await firstCall(startServer())).toMatchObject(written)
    expect(sessionStart()).toBe('')
    expect(npmRuns()).toEqual([])
  })
})

describe.skipIf(hasBuiltIn())('on a Node without a SQLite of its own', () => {
  test('the first call works; hook and servers that start together install once, without scripts', async () => {
    putNpm()
    const servers = [startServer(), startServer()]
    expect(sessionStart()).toBe('')
    for (const answer of await Promise.all(servers.map(firstCall)))
      expect(answer).toMatchObject({ result: {} })
    expect(readFileSync(join(root, 'project', 'a.txt'), 'utf8')).toBe('hello\n')
    expect(npmRuns()).toEqual(['ci --ignore-scripts'])
  })

  test('the next start finds the package without npm, and so does a command at the terminal', async () => {
    putNpm()
    expect(sessionStart()).toBe('')
    rmSync(join(root, 'bin', 'npm'))
    expect(await firstCall(startServer())).toMatchObject(written)
    const { CLAUDE_PLUGIN_DATA: _, ...env } = environment()
    const { status, stdout } = spawnSync(
      'node',
      [join(root, 'plugin/server/bin/ctxd.js'), 'audit', 'verify'],
      {
        env,
        encoding: 'utf8',
      },
    )
    expect([status, stdout]).toEqual([0, expect.stringContaining('none changed')])
  })

  test('without npm the server says so and ends, and the person reads it at the start of the session', async () => {
    const { code, stderr } = await startServer().ended
    expect([code, stderr]).toEqual([74, expect.stringMatching(/^STORE_UNAVAILABLE: .*npm is not there/)])
    expect(stderr).toContain('Node 24.15')
    expect(JSON.parse(sessionStart())).toEqual({ systemMessage: stderr.trim() })
  })
})

test('what the plugin names is in it', () => {
  const read = (file: string): string => readFileSync(join(source, file), 'utf8')
  const named = [
    ...`${read('.mcp.json')}${read('hooks/hooks.json')}`.matchAll(/\$\{CLAUDE_PLUGIN_ROOT\}\/([^"]+)/g),
  ]
  expect(named.length).toBeGreaterThan(3)
  for (const [, file = ''] of named) expect(existsSync(join(source, file)), file).toBe(true)
  expect(JSON.parse(read('.claude-plugin/plugin.json'))).toMatchObject({ name: 'contextd' })
  expect(dirname(source).endsWith('integrations')).toBe(true)
})
