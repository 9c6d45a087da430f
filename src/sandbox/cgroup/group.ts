/** Shared by both cgroup versions. */

import { setTimeout as sleep } from 'node:timers/promises'

import type { CgroupFiles } from './files.ts'

export interface GroupLimits {
  readonly memoryBytes: number
  readonly processes: number
}

export interface ExceededLimits {
  readonly memory: boolean
  readonly processes: boolean
}

export interface Cgroups {
  readonly kind: 'v1' | 'v2'
  open(limits: GroupLimits): Cgroup
}

/** A group for the process tree of one command. The limits include everything in it, caches and tmpfs too. */
export interface Cgroup {
  /**
   * Starts a process in the group. Until `inside` resolves, the process may neither start others nor do anything that
   * must be limited; if it rejects, the process must be killed. Throws what `spawn` throws.
   */
  start<T extends { readonly pid?: number | undefined }>(
    spawn: () => T,
  ): { readonly child: T; readonly inside: Promise<void> }
  /** The limits exceeded so far; still available after removal. */
  exceeded(): ExceededLimits
  /** Kills the processes left in it and removes it; never throws. */
  remove(): Promise<void>
}

/** A file of the group and its value. A missing optional file means that the kernel does not support the setting. */
export type CgroupSetting = readonly [file: string, value: string, need: 'required' | 'optional']

/** Limits for probing a machine: whole pages, so that they read back as written. */
export const trialLimits: GroupLimits = { memoryBytes: 1 << 26, processes: 16 }

// Starts at the current time, so that no name of an earlier process with the same id is reused.
const firstNumber = Date.now()
let nextNumber = firstNumber

export function newGroupName(): string {
  return `contextd-${process.pid}-${nextNumber++}`
}

/** Whether the name is that of a group whose process has ended. */
export function isLeftBehind(name: string, isAlive: (pid: number) => boolean): boolean {
  const [, pid, number] = /^contextd-(\d+)-(\d+)$/.exec(name)?.map(Number) ?? []
  if (pid === undefined || number === undefined) return false
  return pid === process.pid ? number < firstNumber : !isAlive(pid)
}

/** The number in a line such as `oom_kill 3`. */
export function counterIn(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

/** Returns the last counters once the group is removed. */
export function rememberLast(read: () => ExceededLimits): () => ExceededLimits {
  let last: ExceededLimits = { memory: false, processes: false }
  return () => {
    try {
      last = read()
    } catch {
      // Removed, or never created.
    }
    return last
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}

export function removeEmpty(folder: string, files: CgroupFiles): void {
  try {
    files.removeFolder(folder)
  } catch {
    // Missing, or in use.
  }
}

const maxPauseMs = 1024

/** The kernel only removes empty groups, and a killed process stays in its group for a moment. */
export async function endAndRemove(folder: string, files: CgroupFiles): Promise<void> {
  for (let pauseMs = 1; pauseMs <= maxPauseMs; pauseMs *= 2) {
    try {
      await files.later.removeFolder(folder)
      return
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return
    }
    endProcesses(folder, files)
    await sleep(pauseMs)
  }
}

function endProcesses(folder: string, files: CgroupFiles): void {
  try {
    files.write(`${folder}/cgroup.kill`, '1')
    return
  } catch {
    // Only newer kernels have it, and only in the unified hierarchy.
  }
  for (const pid of processesIn(folder, files)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Already removed.
    }
  }
}

/** Zero is a process that is not visible from here; `kill` would take it for our own group. */
function processesIn(folder: string, files: CgroupFiles): number[] {
  try {
    return memberIds(folder, files).filter((pid) => pid > 0 && pid !== process.pid)
  } catch {
    return []
  }
}

export function memberIds(folder: string, files: CgroupFiles): number[] {
  return files.read(`${folder}/cgroup.procs`).split('\n').filter(Boolean).map(Number)
}
