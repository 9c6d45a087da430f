import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

import { afterEach, expect, test } from 'vitest'

import { processesBelow, usageOf } from './process-tree.ts'

const megabyte = 1 << 20
const started: ChildProcess[] = []
afterEach(async () => {
  for (const child of started.splice(0)) {
    for (const pid of processesBelow(child.pid!)) endIfThere(pid)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

let lastSaid = ''
const said = (): number => Number(lastSaid)

/** A Perl script that reports when it is ready. */
async function start(script: string): Promise<number> {
  const child = spawn('/usr/bin/perl', ['-e', `$| = 1; ${script}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  lastSaid = String(await once(child.stdout, 'data'))
  return child.pid!
}

test('includes children and grandchildren', async () => {
  const pid = await start(
    'if (!fork) { if (!fork) { sleep 60 } else { print "ready"; sleep 60 } } else { sleep 60 }',
  )
  expect(usageOf(pid).processes).toBe(3)
  expect(processesBelow(pid)[0]).toBe(pid)
})

test('includes children of every thread', async () => {
  const script = `
    const { Worker } = require('node:worker_threads')
    const run = "require('node:child_process').spawn('/bin/sleep', ['60']).once('spawn', () => console.log('ready'))"
    new Worker(run, { eval: true })
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  await once(child.stdout, 'data')
  expect(usageOf(child.pid!).processes).toBe(2)
})

test('sums private memory, and counts shared memory', async () => {
  const small = usageOf(await start('print "ready"; sleep 60')).rssBytes
  expect(small).toBeGreaterThan(0)
  expect(small).toBeLessThan(20 * megabyte)

  const each = '$x = "a" x (30 << 20)'
  const large = usageOf(
    await start(`${each}; if (!fork) { ${each}; print "ready"; sleep 60 } sleep 60`),
  ).rssBytes
  expect(large).toBeGreaterThan(60 * megabyte)
  expect(large).toBeLessThan(200 * megabyte)
})

test('excludes file-backed pages', async () => {
  const child = spawn(process.execPath, ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'])
  started.push(child)
  await once(child.stdout, 'data')
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  const withFiles = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024
  const { rssBytes } = usageOf(child.pid!)
  expect(rssBytes).toBeGreaterThan(megabyte)
  expect(rssBytes).toBeLessThan(withFiles - 10 * megabyte)
})

const burn = 'do { 1 for 1..50000 } while times < 0.2'
/** The kernel's report to the process about itself and its waited-for children. */
const sayTimes = 'my $sum = 0; $sum += $_ for times; print "$sum"'

test('counts CPU time of running and ended processes once each', async () => {
  const idle = await start('print "ready"; sleep 60')
  expect(usageOf(idle).cpuMs).toBeLessThan(200)

  const alone = await start(`${burn}; ${sayTimes}; sleep 60`)
  expect(usageOf(alone).cpuMs).toBeGreaterThanOrEqual(190)
  expect(Math.abs(usageOf(alone).cpuMs - said() * 1000)).toBeLessThan(60)

  const parent = await start(
    `for (1..3) { if (!fork) { ${burn}; exit } } 1 while wait > 0; ${sayTimes}; sleep 60`,
  )
  expect(usageOf(parent)).toMatchObject({ processes: 1 })
  expect(usageOf(parent).cpuMs).toBeGreaterThanOrEqual(570)
  expect(Math.abs(usageOf(parent).cpuMs - said() * 1000)).toBeLessThan(60)

  // No one waited for it yet, so it is still listed itself.
  const ended = await start(`if (!fork) { ${burn}; ${sayTimes}; exit } sleep 60`)
  expect(usageOf(ended).cpuMs).toBeGreaterThanOrEqual(190)
})

test('handles a process name that looks like the rest of the line', async () => {
  const pid = await start(
    '$0 = ") R 1 (x) S 99"; if (!fork) { $0 = "a b) c ("; print "ready"; sleep 60 } sleep 60',
  )
  expect(usageOf(pid)).toMatchObject({ processes: 2 })
  expect(usageOf(pid).cpuMs).toBeLessThan(2000)
})

test('an ended process uses nothing, and races are no error', async () => {
  const pid = await start('print "ready"; while (1) { for (1..8) { exit if !fork } 1 while wait > 0 }')
  for (let look = 0; look < 300; look++) {
    const { processes } = usageOf(pid)
    expect(processes).toBeGreaterThanOrEqual(1)
    expect(processes).toBeLessThanOrEqual(9)
  }
  endIfThere(pid)
  await once(started.at(-1)!, 'exit')
  expect(usageOf(pid)).toEqual({ rssBytes: 0, cpuMs: 0, processes: 0 })
})
