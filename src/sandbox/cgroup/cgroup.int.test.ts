import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import type { Writable } from 'node:stream'

import { afterEach, describe, expect, test } from 'vitest'

import { cgroupFiles } from './files.ts'
import { readPlaces } from './places.ts'
import { openGroup } from './v2.ts'
import { findCgroups, sweepCgroups, type Cgroup } from './cgroup.ts'

const megabyte = 1 << 20
const cgroups = findCgroups()
const places = (): ReturnType<typeof readPlaces> =>
  readPlaces(readFileSync('/proc/self/cgroup', 'utf8'), readFileSync('/proc/self/mountinfo', 'utf8'))

const opened: Cgroup[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((group) => group.remove()))
})

interface Held {
  readonly child: ChildProcessByStdio<Writable, null, null>
  readonly group: Cgroup
  /** Exit code, or signal name. */
  readonly run: () => Promise<number | NodeJS.Signals>
}

/** A shell in a group with these limits that waits for a line before it runs the command. */
async function hold(script: string, group: Cgroup): Promise<Held> {
  opened.push(group)
  const { child, inside } = group.start(() =>
    spawn('/bin/bash', ['-c', `read; ${script}`], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  await inside.catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    child,
    group,
    run: async () => {
      child.stdin.end('\n')
      const [code, signal] = await ended
      return code ?? signal!
    },
  }
}

const groupsOf = (pid: number | 'self'): string => readFileSync(`/proc/${pid}/cgroup`, 'utf8')
const isRunning = (pid: number): boolean => {
  const text = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return text !== '' && !/\) [ZX]/.test(text)
}

const allocate = (megabytes: number): string => `perl -e '$x = "a" x (${megabytes} << 20); print length $x'`
/** Exits with 0 if every fork succeeds. */
const forkMany = (count: number): string =>
  `perl -e 'for (1..${count}) { my $p = fork; exit 1 unless defined $p; if (!$p) { sleep 20; exit } push @p, $p } kill 9, @p'`

describe.runIf(cgroups !== undefined)('with a writable cgroup', () => {
  const open = (limits: { memoryBytes?: number; processes?: number } = {}): Cgroup =>
    cgroups!.open({ memoryBytes: 64 * megabyte, processes: 12, ...limits })

  test('a process starts in the group, and contextd stays where it was', async () => {
    const before = groupsOf('self')
    const { child } = await hold('sleep 20', open())
    expect(groupsOf(child.pid!)).toMatch(/contextd-\d+-\d+$/m)
    expect(groupsOf('self')).toBe(before)
    expect(groupsOf('self')).not.toMatch(/contextd-\d/)
  })

  test('a process that uses too much memory is killed by the kernel', async () => {
    const { run, group } = await hold(`exec ${allocate(100)}`, open())
    expect(group.exceeded()).toEqual({ memory: false, processes: false })
    expect(await run()).toBe('SIGKILL')
    expect(group.exceeded()).toEqual({ memory: true, processes: false })
  })

  test('a process within the memory limit is not killed', async () => {
    const { run, group } = await hold(`exec ${allocate(100)}`, open({ memoryBytes: 256 * megabyte }))
    expect(await run()).toBe(0)
    expect(group.exceeded()).toEqual({ memory: false, processes: false })
  })

  test('the memory of many small processes is added up', async () => {
    const three = `${allocate(30)} & ${allocate(30)} & ${allocate(30)} & wait`.replaceAll(
      'print',
      'sleep 1; print',
    )
    const { run, group } = await hold(three, open())
    await run()
    expect(group.exceeded().memory).toBe(true)
  })

  test('the process limit cannot be exceeded', async () => {
    const { run, group } = await hold(forkMany(20), open())
    expect(await run()).not.toBe(0)
    expect(group.exceeded()).toEqual({ memory: false, processes: true })
  })

  test('the process limit can be reached', async () => {
    const { run, group } = await hold(forkMany(20), open({ processes: 40, memoryBytes: 256 * megabyte }))
    expect(await run()).toBe(0)
    expect(group.exceeded()).toEqual({ memory: false, processes: false })
  })

  test('removing a group kills its processes, and its exceeded limits stay available', async () => {
    const { child, group } = await hold(`${forkMany(20)}; sleep 60 & sleep 60 & wait`, open())
    const name = /contextd-\d+-\d+$/m.exec(groupsOf(child.pid!))![0]
    child.stdin.end('\n')
    await expect.poll(() => group.exceeded().processes).toBe(true)
    await group.remove()
    expect(isRunning(child.pid!)).toBe(false)
    expect(groupFolders(name).filter(existsSync)).toEqual([])
    expect(group.exceeded()).toEqual({ memory: false, processes: true })
    await group.remove()
  })

  test('a failed start leaves no group behind, and contextd is not in it', async () => {
    const before = groupsOf('self')
    const group = open()
    let seen = ''
    const start = (): unknown =>
      group.start(() => {
        seen = groupsOf('self')
        throw new Error('no such program')
      })
    expect(start).toThrow('no such program')
    expect(groupsOf('self')).toBe(before)
    const name = /contextd-\d+-\d+$/m.exec(seen)?.[0] ?? 'none'
    await expect.poll(() => groupFolders(name).filter(existsSync)).toEqual([])
  })

  test('a missing program needs no group', async () => {
    const group = open()
    opened.push(group)
    const { child, inside } = group.start(() => spawn('/no/such/program'))
    child.on('error', () => {})
    await expect(inside).resolves.toBeUndefined()
    expect(child.pid).toBeUndefined()
  })

  test('groups of a killed contextd are swept, and no others', () => {
    const [parent] = groupFolders('x').map((path) => path.slice(0, -2))
    // No process has this id, because the kernel's own limit is lower.
    const dead = `${parent}/contextd-5000000-1`
    const alive = `${parent}/contextd-${process.ppid}-1`
    const other = `${parent}/contextd-other`
    const earlier = `${parent}/contextd-${process.pid}-1`
    for (const path of [dead, alive, other, earlier]) mkdirSync(path)
    try {
      sweepCgroups()
      expect([dead, alive, other, earlier].map((path) => existsSync(path))).toEqual([
        false,
        true,
        true,
        false,
      ])
    } finally {
      for (const path of [dead, alive, other, earlier].filter((each) => existsSync(each))) rmdirSync(path)
    }
  })

  function groupFolders(name: string): string[] {
    const { v2, memory, pids } = places()
    const parents =
      cgroups!.kind === 'v1' ? [memory, pids] : [v2?.own.replace(/\/contextd-self$/, ''), v2?.root]
    return parents.map((parent) => `${parent}/${name}`)
  }
})

// Without controllers, as in a hybrid setup: the kernel still moves, kills and removes.
const unified = places().v2?.own
describe.runIf(unified !== undefined && canMake(`${unified}/contextd-5000000-2`))(
  'with a writable unified group, with or without controllers',
  () => {
    test('a process is moved into it, and all remaining ones are killed', async () => {
      const folder = `${unified}/contextd-${process.pid}-2`
      const { child, group } = await hold('sleep 60 & sleep 60 & wait', openGroup(folder, [], cgroupFiles))
      expect(groupsOf(child.pid!)).toContain(`/contextd-${process.pid}-2\n`)
      child.stdin.end('\n')
      await expect.poll(() => cgroupFiles.read(`${folder}/cgroup.procs`).trim().split('\n').length).toBe(3)
      await group.remove()
      expect(isRunning(child.pid!)).toBe(false)
      expect(existsSync(folder)).toBe(false)
    })

    test('a limit that the kernel does not know fails the start, unless it is optional', async () => {
      const open = (need: 'required' | 'optional'): Cgroup =>
        openGroup(`${unified}/contextd-${process.pid}-3`, [['no.such.limit', '1', need]], cgroupFiles)
      await expect(hold('true', open('required'))).rejects.toMatchObject({ code: 'ENOENT' })
      await opened.pop()!.remove()
      expect(await (await hold('true', open('optional'))).run()).toBe(0)
    })
  },
)

function canMake(folder: string): boolean {
  try {
    mkdirSync(folder)
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
