import { spawnSync } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
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
  stdout: 'pipe' | number = 'pipe',
): { status: number | null; out: string; err: string } {
  const {
    status,
    stdout: out,
    stderr: err,
  } = spawnSync(process.execPath, [program, ...argv], {
    cwd: home.project,
    env: { ...home.env, PATH: process.env.PATH },
    stdio: ['ignore', stdout, 'pipe'],
    encoding: 'utf8',
  })
  return { status, out, err }
}

describe('ctxd server start', () => {
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
        hint: expect.stringContaining('http.port'),
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
})

it.runIf(existsSync('/dev/full'))('output that cannot be written is an error, not a crash', () => {
  const records = openRecords(home.env)
  for (let event = 0; event < 3; event += 1) records.event('filler', {})
  records.close()
  const { status, err } = ctxd(['audit', 'export'], openSync('/dev/full', 'w'))
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
