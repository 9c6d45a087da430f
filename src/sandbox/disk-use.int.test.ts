import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { sandboxHere } from '../../test/support/sandbox-here.ts'
import { createDiskMeter, type DiskMeter } from './disk-use.ts'

const megabyte = 1 << 20
const limit = { bytes: megabyte, files: 100 }
const { signal } = new AbortController()
let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'contextd-disk-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** A process in the folder that does this on request. */
interface Doer {
  readonly pid: number
  again(): Promise<void>
}

async function withProcess<T>(
  { once: prepare, again }: { once: string; again: string },
  use: (doer: Doer) => Promise<T>,
  confine: readonly string[] = [],
): Promise<T> {
  const script = `cd "$1" && ${prepare} && while read; do ${again}; echo done; done`
  const [program, ...args] = [...confine, '/bin/bash', '-c', script, '-', folder]
  const child = spawn(program, args)
  const ended = once(child, 'exit')
  const doer: Doer = {
    pid: child.pid!,
    async again() {
      child.stdin.write('\n')
      await Promise.race([once(child.stdout, 'data'), ended])
      expect(child.exitCode).toBe(null)
    },
  }
  try {
    return await use(doer)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** Other processes may delete from this disk at the same time, so write more until it shows. */
async function grownBy(meter: DiskMeter, { pid, again }: Doer): Promise<{ grown: number; written: number }> {
  for (let written = 64 * megabyte; ; written += 64 * megabyte) {
    await again()
    const { bytes: grown } = await meter.grown(pid, signal)
    if (grown > 2 * megabyte) return { grown, written }
  }
}

test('a file that was written', async () => {
  const meter = createDiskMeter([folder], limit)
  const again = async (): Promise<void> =>
    appendFileSync(join(folder, 'large'), Buffer.alloc(64 * megabyte, 'x'))
  const { grown, written } = await grownBy(meter, { pid: process.pid, again })
  expect(grown).toBeLessThan(written + 6 * megabyte)
})

const deleted = { once: 'exec 9>x && rm x', again: 'head -c 64M /dev/zero >&9' }

test('a file that was deleted but is still open', async () => {
  const meter = createDiskMeter([folder], limit)
  const { grown, written } = await withProcess(deleted, (doer) => grownBy(meter, doer))
  expect(grown).toBeLessThan(written + 6 * megabyte)
})

test.runIf(sandboxHere)('the same inside a sandbox', async () => {
  const meter = createDiskMeter([folder], limit)
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
  const { grown, written } = await withProcess(deleted, (doer) => grownBy(meter, doer), confine)
  expect(grown).toBeLessThan(written + 6 * megabyte)
})

test('a file that was deleted and is closed', async () => {
  const meter = createDiskMeter([folder], limit)
  const closed = { once: deleted.once, again: `${deleted.again} && exec 9>&-` }
  const grown = await withProcess(closed, async ({ pid, again }) => {
    await again()
    return (await meter.grown(pid, signal)).bytes
  })
  expect(grown).toBeLessThan(20 * megabyte)
})

test('empty files', async () => {
  const meter = createDiskMeter([folder], limit)
  // Other processes may delete from this disk at the same time, so create more until it shows.
  for (let made = 0, grown = 0; grown <= limit.files;) {
    for (const until = made + 1000; made < until; made++) writeFileSync(join(folder, `${made}`), '')
    grown = (await meter.grown(process.pid, signal)).files
    // The folder itself is as new.
    expect(grown).toBeLessThanOrEqual(made + 1)
  }
})
