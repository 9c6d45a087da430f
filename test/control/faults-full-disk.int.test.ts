import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, onTestFinished, test } from 'vitest'

import { runOnTerminal } from '@contextd/shared/testing/terminal'
import { packageFiles, writePackage } from '../support/tool-packages.ts'
import { makeDaemonHome, type DaemonHome } from './daemon-home.ts'

function mount(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', folder]).status === 0
}

/** Whether the tests have the permission to mount a small disk. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-mount-'))
  const isMounted = mount(folder)
  if (isMounted) spawnSync('umount', [folder])
  rmSync(folder, { recursive: true })
  return isMounted
}

/** Runs a command on a terminal and answers yes. */
async function agreed(home: DaemonHome, command: string): Promise<{ status: number | null; output: string }> {
  const program = fileURLToPath(new URL('../../bin/ctxd.js', import.meta.url))
  const env = { PATH: process.env.PATH, HOME: home.path, NO_COLOR: '1', ...home.env }
  return runOnTerminal(`'${process.execPath}' '${program}' ${command}`, [[/\[y\/N\] $/, 'y\n']], {
    env,
    cwd: home.project,
  })
}

function fill(folder: string): () => void {
  const path = join(folder, 'filler')
  for (const bytes of [1 << 20, 1 << 12, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' })
    } catch {
      // Full for chunks of this size.
    }
  }
  return () => rmSync(path)
}

test.skipIf(!canMount())(
  'a full disk is reported by every command, and loses nothing (if tests may mount one)',
  async () => {
    const home = makeDaemonHome()
    const { state } = home.paths
    mkdirSync(state)
    expect(mount(state)).toBe(true)
    // Unmounted lazily: processes that still use it are stopped afterwards.
    onTestFinished(() => void spawnSync('umount', ['-l', state]))
    writePackage(join(home.path, 'package'), packageFiles({ name: 'probe' }))

    const { daemon } = await home.serve()
    expect(await home.proxy('safe_write', { path: 'kept.txt', content: 'kept\n' })).toMatchObject({ code: 0 })
    const config = readFileSync(home.paths.configFile, 'utf8')
    let empty = fill(state)

    // Calls that cannot be recorded are not executed.
    const refused = await home.proxy('safe_write', { path: 'lost.txt', content: 'x' })
    expect(refused.err).toMatch(/the disk is full|Run `ctxd doctor`: the store must be writable/)
    expect(refused.code).not.toBe(0)
    expect(existsSync(join(home.project, 'lost.txt'))).toBe(false)
    for (const command of [
      'tls init',
      'webhooks add http://127.0.0.1:9/x',
      'config set log.level warn',
      `tool install ../package`,
    ]) {
      const { status, output } = await agreed(home, command)
      expect([command, status]).toEqual([command, command.startsWith('config') ? 21 : 74])
      expect(output).toMatch(
        /the disk is full\s+.*Free disk space|Run `ctxd doctor`: the store must be writable/,
      )
    }
    expect(existsSync(home.paths.tls)).toBe(false)
    expect(readdirSync(state).filter((name) => name.includes('tls'))).toEqual([])
    expect(readFileSync(home.paths.configFile, 'utf8')).toBe(config)
    expect((await home.ctxd('tool', 'list')).out).not.toContain('probe')
    expect((await home.ctxd('doctor')).out).toMatch(/^fail store +.*the disk is full$/m)
    expect(await home.ctxd('audit', 'verify')).toMatchObject({ code: 0 })

    // With free space it recovers by itself.
    empty()
    expect(await home.proxy('safe_write', { path: 'later.txt', content: 'x' })).toMatchObject({ code: 0 })
    empty = fill(state)

    // The daemon still responds and can be stopped; the next one reports immediately why it does not start.
    expect(await home.ctxd('server', 'status')).toMatchObject({ code: 0 })
    expect(await home.ctxd('server', 'stop')).toMatchObject({ code: 0 })
    expect(await daemon.ended).toMatchObject({ code: 0 })
    const start = await home.ctxd('server', 'start')
    expect([start.code, start.err]).toEqual([74, expect.stringContaining('the disk is full')])
    expect(readdirSync(home.paths.run)).toEqual([])

    empty()
    await home.serve()
    const { out } = await home.ctxd('audit', 'query', '--tool', 'safe_write')
    expect(out).toContain('allow')
    expect(await home.ctxd('audit', 'verify')).toMatchObject({ code: 0 })
    expect(readFileSync(join(home.project, 'kept.txt'), 'utf8')).toBe('kept\n')
    expect(await home.proxy('safe_write', { path: 'lost.txt', content: 'x' })).toMatchObject({ code: 0 })
    expect(await home.ctxd('server', 'stop')).toMatchObject({ code: 0 })
  },
)
