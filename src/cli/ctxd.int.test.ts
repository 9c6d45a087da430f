import { spawnSync } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeTempHome, type TempHome } from '../../test/support/temp-home.ts'
import { openRecords } from '../compose.ts'

const program = fileURLToPath(new URL('../../bin/ctxd.js', import.meta.url))

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

function ctxd(
  argv: string[],
  { stdout = 'pipe', more = {} }: { stdout?: 'pipe' | number; more?: NodeJS.ProcessEnv } = {},
): { status: number | null; out: string; err: string } {
  const {
    status,
    stdout: out,
    stderr: err,
  } = spawnSync(process.execPath, [program, ...argv], {
    cwd: home.project,
    env: { ...home.env, PATH: process.env.PATH, ...more },
    stdio: ['ignore', stdout, 'pipe'],
    encoding: 'utf8',
  })
  return { status, out, err }
}

describe('ctxd start', () => {
  let taken: Server
  beforeEach(async () => {
    taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    // An error of an earlier start, which must not be reported for this one.
    home.write('state/contextd.log', '{"error":{"code":"AUDIT_TAMPERED","seq":1,"problem":"old"}}\n')
  })
  afterEach(() => {
    ctxd(['server', 'stop'])
    taken.close()
  })

  it('reports why the daemon could not start', () => {
    const { port } = taken.address() as AddressInfo
    home.write('config/config.toml', `[http]\nport = ${port}\n`)
    const { status, out, err } = ctxd(['server', 'start', '--json'])
    expect(JSON.parse(err)).toMatchObject({
      error: {
        code: 'LISTEN_FAILED',
        message: expect.stringContaining(`127.0.0.1:${port}: listen EADDRINUSE`),
        hint: expect.stringContaining('ctxd start --port'),
      },
    })
    expect([status, out]).toEqual([11, ''])
  })

  it('uses its configured address once that is free', () => {
    home.write('config/config.toml', '[http]\nport = 0\n')
    const { status, out, err } = ctxd(['server', 'start', '--json'])
    expect([status, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ mcp: expect.stringMatching(/^http:/) })
    expect(ctxd(['server', 'stop']).out).toBe('Stopped.\n')
  })

  it('uses the port of the flag, then that of the environment, instead of the configured one', async () => {
    const { port: occupied } = taken.address() as AddressInfo
    home.write('config/config.toml', `[http]\nport = ${occupied}\n`)
    for (const [argv, more] of [
      [['--port', '0'], { CONTEXTD_PORT: String(occupied) }],
      [[], { CONTEXTD_PORT: '0' }],
    ] as const) {
      const started = ctxd(['start', ...argv, '--json'], { more })
      expect([started.status, started.err]).toEqual([0, ''])
      const { mcp, connect } = JSON.parse(started.out) as { mcp: string; connect: string }
      expect(Number(new URL(mcp).port)).not.toBe(occupied)
      expect(connect).toContain(mcp)
      expect(JSON.parse(ctxd(['server', 'status', '--json']).out)).toMatchObject({ mcp, connect })
      expect(JSON.parse(ctxd(['status', '--json']).out)).toMatchObject({ daemon: { running: true, mcp } })
      expect(ctxd(['stop']).out).toBe('Stopped.\n')
    }
  })

  it.each([
    [['start', '--port', '65536'], {}, 2, /^USAGE: .*'--port <number>'.*from 0 to 65535/],
    [['start'], { CONTEXTD_PORT: 'web' }, 78, /^CONFIG_INVALID: .*CONTEXTD_PORT must be a whole number/],
  ])('%j with %j is refused', (argv, more, exit, message) => {
    const { status, err } = ctxd(argv, { more })
    expect(err).toMatch(message)
    expect(status).toBe(exit)
  })
})

/** What clients start bypasses the command parser, under both names of the program. */
describe.each(['ctxd', 'contextd'])('%s', (name) => {
  const run = (argv: string[], input: string): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [join(program, '..', `${name}.js`), ...argv], {
      cwd: home.project,
      env: { ...home.env, PATH: process.env.PATH },
      encoding: 'utf8',
      input,
    })

  it('mcp serve answers MCP', () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    }
    const { stdout } = run(
      ['mcp', 'serve'],
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    )
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'contextd' } } })
  })

  it('hook answers a client', () => {
    expect(run(['hook', 'protect'], '{}')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^contextd hook: .*hook_event_name/) as string,
    })
  })

  it('has every command, and suggests one', () => {
    expect(run(['mcp', 'sevre'], '').stderr).toMatch(/^USAGE: [^]*Did you mean serve/)
    expect(run(['up'], '')).toMatchObject({
      status: 2,
      stderr: 'USAGE: unknown command up\nDid you mean `ctxd start`? `ctxd --help` lists all commands.\n',
    })
    expect(run(['rules', '--help'], '').stdout).toMatch(/^Usage: ctxd rules/)
  })
})

it.runIf(existsSync('/dev/full'))('output that cannot be written is an error, not a crash', () => {
  const records = openRecords(home.env)
  for (let event = 0; event < 3; event += 1) records.event('filler', {})
  records.close()
  const { status, err } = ctxd(['audit', 'export'], { stdout: openSync('/dev/full', 'w') })
  expect(err).toMatch(/^STORE_UNAVAILABLE: .*\(ENOSPC\)\n.*\n$/)
  expect(status).toBe(74)
  expect(ctxd(['audit', 'export'])).toMatchObject({ status: 0, err: '' })
})

it('reports that the current folder no longer exists', () => {
  const inFolder = (steps: string): string =>
    spawnSync(
      'sh',
      ['-c', `mkdir gone && cd gone && ${steps} "$0" "$1" audit query`, process.execPath, program],
      {
        cwd: home.project,
        env: { ...home.env, PATH: process.env.PATH },
        encoding: 'utf8',
      },
    ).stderr
  expect(inFolder('rmdir ../gone &&')).toMatch(/^The current directory no longer exists\. .*\n$/)
  expect(inFolder('')).toBe('')
})
