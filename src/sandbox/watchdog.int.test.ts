import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { Cgroup, ExceededLimits } from './cgroup/cgroup.ts'
import { processesBelow } from './process-tree.ts'
import type { LimitName } from './sandbox.ts'
import { watch, type Watched } from './watchdog.ts'

const megabyte = 1 << 20
const plenty = {
  cpuSeconds: 60,
  memoryBytes: 4096 * megabyte,
  diskBytes: 4096 * megabyte,
  diskFiles: 1_000_000,
}

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'contextd-watch-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Watch {
  /** All calls of onExceeded. */
  readonly exceeded: LimitName[]
  /** The result of stopping. */
  readonly said: LimitName | undefined
}

/** Runs the script until it ends or reaches a limit. */
async function runWatched(
  script: string,
  limits: Partial<Watched['limits']>,
  cgroup?: Cgroup,
): Promise<Watch> {
  const child = spawn('/usr/bin/perl', ['-e', script], { cwd: folder, stdio: 'ignore' })
  const exceeded: LimitName[] = []
  const stop = watch({
    pid: child.pid!,
    limits: { ...plenty, ...limits },
    cgroup,
    folders: [folder],
    onExceeded(limit) {
      exceeded.push(limit)
      endTree(child)
    },
  })
  await once(child, 'exit')
  return { exceeded, said: stop() }
}

function endTree(child: ChildProcess): void {
  for (const pid of processesBelow(child.pid!).toReversed()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Already ended.
    }
  }
}

/** Three processes of 60 MB each, alive long enough to be measured. */
const hungry = (seconds: number): string =>
  `for (1..3) { if (!fork) { $x = "a" x (30 << 20); $x .= $x; sleep ${seconds}; exit } } 1 while wait > 0`

test('limits the memory of all processes together', async () => {
  const watched = await runWatched(hungry(60), { memoryBytes: 100 * megabyte })
  expect(watched).toEqual({ exceeded: ['memory'], said: 'memory' })
})

test('does not stop them within the memory limit', async () => {
  const watched = await runWatched(hungry(1), { memoryBytes: 600 * megabyte })
  expect(watched).toEqual({ exceeded: [], said: undefined })
})

/** Two processes that are busy for 0.7 seconds each. */
const busy = (seconds: number): string =>
  `for (1..2) { if (!fork) { do { 1 for 1..50000 } while times < 0.7; exit } } 1 while wait > 0; sleep ${seconds}`

test('limits the CPU time of all processes together, including ended ones', async () => {
  expect(await runWatched(busy(60), { cpuSeconds: 1 })).toEqual({ exceeded: ['cpu'], said: 'cpu' })
})

test('does not stop them within the CPU limit', async () => {
  expect(await runWatched(busy(1), { cpuSeconds: 30 })).toEqual({ exceeded: [], said: undefined })
})

const fill = (seconds: number): string =>
  `open F, ">", "large"; for (1..96) { print F "x" x (1 << 20) } close F; sleep ${seconds}`

test('limits what is written to the folder', async () => {
  expect(await runWatched(fill(60), { diskBytes: 8 * megabyte })).toEqual({
    exceeded: ['disk'],
    said: 'disk',
  })
})

test('does not stop it within the disk limit', async () => {
  expect(await runWatched(fill(3), { diskBytes: 2048 * megabyte })).toEqual({
    exceeded: [],
    said: undefined,
  })
})

/** Creates more and more empty files, because other processes may delete from the same disk. */
const litter = (most: number): string =>
  `for (1..${most}) { open F, ">", "empty-$_" or die; close F; select undef, undef, undef, 1 unless $_ % 2000 }`

test('limits the number of files created in the folder', async () => {
  expect(await runWatched(litter(200_000), { diskFiles: 1000 })).toEqual({
    exceeded: ['files'],
    said: 'files',
  })
})

test('does not stop it within the file limit', async () => {
  expect(await runWatched(litter(4000), { diskFiles: 100_000 })).toEqual({ exceeded: [], said: undefined })
})

function countingCgroup(state: { exceeded: ExceededLimits }): Cgroup {
  return {
    start: () => {
      throw new Error('not used')
    },
    exceeded: () => state.exceeded,
    remove: async () => {},
  }
}

test('a cgroup limits memory if available', async () => {
  const state = { exceeded: { memory: false, processes: false } }
  const within = await runWatched(hungry(1), { memoryBytes: 100 * megabyte }, countingCgroup(state))
  expect(within).toEqual({ exceeded: [], said: undefined })

  setTimeout(() => (state.exceeded = { memory: true, processes: true }), 300)
  const beyond = await runWatched('sleep 60', {}, countingCgroup(state))
  expect(beyond).toEqual({ exceeded: ['memory'], said: 'memory' })
})

test('reports in the end what the cgroup refused', async () => {
  const refused = countingCgroup({ exceeded: { memory: false, processes: true } })
  expect(await runWatched('1', {}, refused)).toEqual({ exceeded: [], said: 'processes' })
  const ended = countingCgroup({ exceeded: { memory: true, processes: true } })
  expect(await runWatched('1', {}, ended)).toMatchObject({ said: 'memory' })
})

test('measures nothing once it is stopped', async () => {
  const child = spawn('/usr/bin/perl', ['-e', 'sleep 60'], { stdio: 'ignore' })
  const exceeded: LimitName[] = []
  const options = {
    pid: child.pid!,
    cgroup: undefined,
    folders: [],
    onExceeded: (name: LimitName) => exceeded.push(name),
  }
  watch({ ...options, limits: { ...plenty, memoryBytes: 1 } })()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(exceeded).toEqual([])

  // It would have been noticed otherwise.
  watch({ ...options, limits: { ...plenty, memoryBytes: 1 } })
  await expect.poll(() => exceeded).toEqual(['memory'])
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('does not keep the process alive', () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const stop = watch({
    pid: 0,
    limits: plenty,
    cgroup: undefined,
    folders: [folder],
    onExceeded: () => {},
  })
  expect(timers()).toBe(before)
  stop()
  const timer = setTimeout(() => {}, 1000)
  expect(timers()).toBe(before + 1)
  clearTimeout(timer)
})

test('a missing process is within every limit', async () => {
  const exceeded: LimitName[] = []
  const none = { ...plenty, cpuSeconds: 0, memoryBytes: 0 }
  const stop = watch({
    pid: 0,
    limits: none,
    cgroup: undefined,
    folders: [folder],
    onExceeded: (name) => exceeded.push(name),
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(stop()).toBeUndefined()
  expect(exceeded).toEqual([])
})
