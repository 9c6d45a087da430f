import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { ownPort } from '../support/own-port.ts'
import { until } from '@contextd/shared/testing/until'
import { makeDaemonHome, type DaemonHome, type Ended } from './daemon-home.ts'

/** The error that a program printed before it exited. */
function errorIn({ err }: Ended): { code: string; message: string; hint: string } {
  return (JSON.parse(err.trim().split('\n').at(-1) ?? '') as { error: never }).error
}

/** Creates a socket whose process was killed. */
function leaveSocket(path: string): void {
  const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', script, path])
  expect(lstatSync(path).isSocket()).toBe(true)
}

const names = ['hook.sock', 'control.sock', 'contextd.pid']

describe.each(names)('%s of a dead daemon', (name) => {
  test.each(['a socket', 'a file', 'a link to a file', 'a link to nowhere'])(
    '%s is replaced',
    async (kind) => {
      const home = makeDaemonHome()
      const precious = home.write('precious', 'precious')
      mkdirSync(home.paths.run, { mode: 0o700 })
      const path = join(home.paths.run, name)
      if (kind === 'a socket') leaveSocket(path)
      else if (kind === 'a file') writeFileSync(path, '')
      else symlinkSync(kind === 'a link to a file' ? precious : join(home.path, 'nowhere'), path)

      await home.serve()
      expect(await home.ctxd('server', 'status')).toMatchObject({ code: 0 })
      const found = lstatSync(path)
      expect([found.isSymbolicLink(), found.mode & 0o777]).toEqual([false, 0o600])
      // The target of a link is neither written to nor created.
      expect(readFileSync(precious, 'utf8')).toBe('precious')
      expect(existsSync(join(home.path, 'nowhere'))).toBe(false)
    },
  )

  test('a folder is not touched, and reported', async () => {
    const home = makeDaemonHome()
    home.write(`run/${name}/precious`, 'precious')
    const path = join(home.paths.run, name)
    for (const program of ['contextd', 'ctxd'] as const) {
      const argv = program === 'contextd' ? ['serve', '--json'] : ['server', 'start', '--json']
      const error = errorIn(await home.start(program, argv).ended)
      expect(error).toMatchObject({ code: expect.not.stringMatching('INTERNAL'), hint: expect.any(String) })
      expect(error.message).toContain(path)
      expect(error.hint).toContain('Move it away and start again.')
      // The attempt leaves nothing else behind.
      expect(readdirSync(home.paths.run)).toEqual([name])
      expect(readFileSync(join(path, 'precious'), 'utf8')).toBe('precious')
    }
    rmSync(path, { recursive: true })
    await home.serve()
  })
})

describe('the socket folder', () => {
  test('is closed to other users if it was not', async () => {
    const home = makeDaemonHome()
    mkdirSync(home.paths.run)
    chmodSync(home.paths.run, 0o755)
    await home.serve()
    expect(statSync(home.paths.run).mode & 0o777).toBe(0o700)
  })

  test.each<[string, (home: DaemonHome) => void]>([
    ['a file', ({ paths }) => writeFileSync(paths.run, '')],
    ['a link to nowhere', ({ paths, path }) => symlinkSync(join(path, 'nowhere'), paths.run)],
  ])('is %s: reported, and nothing is created', async (_, make) => {
    const home = makeDaemonHome()
    make(home)
    const ended = await home.start('contextd', ['serve', '--json']).ended
    expect([ended.code, errorIn(ended)]).toEqual([74, expect.objectContaining({ code: 'STORE_UNAVAILABLE' })])
    expect(errorIn(ended).message).toContain(home.paths.run)
    expect(existsSync(join(home.path, 'nowhere'))).toBe(false)
  })

  const isRoot = process.getuid?.() === 0
  test.skipIf(!isRoot).each(['itself', 'behind a link'])(
    "another user's, %s, is rejected (as root, who can create one)",
    async (where) => {
      const home = makeDaemonHome()
      const folder = where === 'itself' ? home.paths.run : join(home.path, 'theirs')
      mkdirSync(folder)
      chownSync(folder, 65_534, 65_534)
      if (where === 'behind a link') symlinkSync(folder, home.paths.run)
      const ended = await home.start('contextd', ['serve', '--json']).ended
      expect(ended.code).toBe(74)
      expect(errorIn(ended)).toMatchObject({
        message: expect.stringContaining('belongs to another user'),
        hint: expect.stringContaining('CONTEXTD_HOME'),
      })
      expect([readdirSync(folder), statSync(folder).mode & 0o777]).toEqual([[], 0o755])
    },
  )

  test('is too deep for a socket name: a shorter path is suggested', async () => {
    const home = makeDaemonHome()
    const name = 'x'.repeat(120)
    const deep = join(home.path, name)
    home.write(`${name}/config/config.toml`, '[http]\nport = 0\n')
    for (const [program, argv] of [
      ['contextd', ['serve', '--json']],
      ['ctxd', ['server', 'start', '--json']],
    ] as const) {
      const ended = await home.start(program, argv, { env: { CONTEXTD_HOME: deep } }).ended
      expect([ended.code, errorIn(ended)]).toEqual([11, expect.objectContaining({ code: 'LISTEN_FAILED' })])
      expect(errorIn(ended).hint).toContain('shorter name')
      expect(readdirSync(join(deep, 'run'))).toEqual([])
    }
    // Commands that need no daemon work.
    const looked = await home.start('ctxd', ['audit', 'verify'], { env: { CONTEXTD_HOME: deep } }).ended
    expect(looked.code).toBe(0)
  })
})

describe('two daemons', () => {
  test('the second reports it and exits, the first keeps serving', async () => {
    const home = makeDaemonHome()
    const { status } = await home.serve()
    for (const [program, argv] of [
      ['contextd', ['serve', '--json']],
      ['ctxd', ['server', 'start', '--json']],
    ] as const) {
      const ended = await home.start(program, argv).ended
      expect([ended.code, errorIn(ended)]).toEqual([
        11,
        expect.objectContaining({
          code: 'DAEMON_ALREADY_RUNNING',
          pid: status.pid,
          hint: expect.stringContaining('ctxd stop'),
        }),
      ])
    }
    expect(JSON.parse((await home.ctxd('server', 'status', '--json')).out)).toEqual(status)
    expect((await fetch(status.mcp.replace('/mcp', '/healthz'))).status).toBe(200)
    expect(readdirSync(home.paths.run).sort()).toEqual(['contextd.pid', 'control.sock', 'hook.sock'])
  })

  test('of ten that start at the same time exactly one survives', async () => {
    const home = makeDaemonHome()
    const all = Array.from({ length: 10 }, () => home.start('contextd', ['serve', '--json']))
    const left: string[] = []
    for (const { ended } of all)
      void ended.then((one) => left.push(one.code === 0 ? 'stopped' : errorIn(one).code))
    await until(() => left.length === 9)
    expect(left).toEqual(Array.from({ length: 9 }, () => 'DAEMON_ALREADY_RUNNING'))
    await until(() => all.some((one) => one.said() !== ''))
    const alive = all.filter((one) => one.said() !== '')
    expect(alive.map((one) => (JSON.parse(one.said()) as { pid: number }).pid)).toEqual([alive[0]?.pid])
    expect(JSON.parse((await home.ctxd('server', 'status', '--json')).out)).toMatchObject({
      pid: alive[0]?.pid,
    })
    expect(await home.ctxd('server', 'stop')).toMatchObject({ code: 0 })
    expect((await alive[0]?.ended)?.code).toBe(0)
  })
})

/** A listener of another program. */
async function portInUse(): Promise<{ port: number; free: () => Promise<void> }> {
  const port = await ownPort()
  const server = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const free = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  onTestFinished(() => void server.close())
  return { port, free }
}

test.each(['http', 'control'] as const)(
  'the port of %s is in use: reported, and no other listener stays open',
  async (door) => {
    const home = makeDaemonHome()
    if (door === 'control') home.setUpTls()
    const { port, free } = await portInUse()
    const other = door === 'http' ? 'control' : 'http'
    home.write('config/config.toml', `[${door}]\nport = ${port}\n[${other}]\nport = 0\n`)
    for (const [program, argv] of [
      ['contextd', ['serve', '--json']],
      ['ctxd', ['server', 'start', '--json']],
    ] as const) {
      const ended = await home.start(program, argv).ended
      expect([ended.code, errorIn(ended)]).toEqual([11, expect.objectContaining({ code: 'LISTEN_FAILED' })])
      expect(errorIn(ended).message).toContain(`127.0.0.1:${port}`)
      expect(errorIn(ended).hint).toContain(`ctxd config set ${door}.port`)
      expect(readdirSync(home.paths.run)).toEqual([])
    }
    await free()
    const { status } = await home.serve()
    expect(door === 'http' ? status.mcp : status.grpc).toContain(`127.0.0.1:${port}`)
  },
)
