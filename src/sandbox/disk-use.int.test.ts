import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { sandboxHere } from '../../test/support/sandbox-here.ts'
import { createDiskMeter } from './disk-use.ts'

const megabyte = 1 << 20
const { signal } = new AbortController()
let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'contextd-disk-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** A process in the folder that does this and waits. */
async function withProcess<T>(
  script: string,
  use: (pid: number) => Promise<T>,
  confine: readonly string[] = [],
): Promise<T> {
  const bash = ['/bin/bash', '-c', `cd "$1" && ${script} && echo done && exec sleep 60`, '-', folder]
  const [program, ...args] = [...confine, ...bash]
  const child = spawn(program!, args)
  const ended = once(child, 'exit')
  try {
    await Promise.race([once(child.stdout, 'data'), ended])
    expect(child.exitCode).toBe(null)
    return await use(child.pid!)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

// Others may delete from this disk at the same time, so much more is written than must be seen.
test('a file that was written', async () => {
  const meter = createDiskMeter([folder], megabyte)
  writeFileSync(join(folder, 'large'), Buffer.alloc(64 * megabyte, 'x'))
  const grown = await meter.grown(process.pid, signal)
  expect(grown).toBeGreaterThan(2 * megabyte)
  expect(grown).toBeLessThan(70 * megabyte)
})

test('a file that was deleted but is still open', async () => {
  const meter = createDiskMeter([folder], megabyte)
  const script = 'exec 9>x && rm x && head -c 64M /dev/zero >&9'
  const grown = await withProcess(script, (pid) => meter.grown(pid, signal))
  expect(grown).toBeGreaterThan(2 * megabyte)
})

test.runIf(sandboxHere)('the same behind the walls of a sandbox', async () => {
  const meter = createDiskMeter([folder], megabyte)
  const script = 'exec 9>x && rm x && head -c 64M /dev/zero >&9'
  const walls = [
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
  ]
  const confine = [
    '/usr/bin/bwrap',
    ...walls,
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--bind',
    folder,
    folder,
    '--',
  ]
  const grown = await withProcess(script, (pid) => meter.grown(pid, signal), confine)
  expect(grown).toBeGreaterThan(2 * megabyte)
})

test('a file that was deleted and is closed', async () => {
  const meter = createDiskMeter([folder], megabyte)
  const script = 'exec 9>x && rm x && head -c 64M /dev/zero >&9 && exec 9>&-'
  const grown = await withProcess(script, (pid) => meter.grown(pid, signal))
  expect(grown).toBeLessThan(20 * megabyte)
})
