import { readFileSync } from 'node:fs'

import { namesIn } from '@contextd/shared/files/names-in'

export interface TreeUsage {
  /**
   * Private memory, summed over the processes. File-backed pages are excluded: the kernel can drop them, and programs
   * share them. Other shared memory is counted for each process.
   */
  readonly rssBytes: number
  /** Includes ended children that were waited for. */
  readonly cpuMs: number
  readonly processes: number
}

/** Far above every process limit; a longer walk would block everything else. */
const maxProcesses = 4096

/** The current usage of a process and everything below it. An ended process uses nothing. */
export function usageOf(pid: number): TreeUsage {
  return createTreeMeter(pid)()
}

/**
 * Measures the same tree repeatedly and remembers what it saw: the usage of a process that ended without being waited
 * for is reported nowhere else. One that starts and ends between two measurements is missed.
 */
export function createTreeMeter(pid: number): () => TreeUsage {
  const seen = new Map<string, number>()
  return () => {
    let anonymous = 0
    let shared = 0
    let cpuMs = 0
    let processes = 0
    const segments = new Map<string, number>()
    for (const { id, stat } of walkTree(pid)) {
      processes++
      cpuMs += cpuOf(stat) + waitedForOf(stat)
      seen.set(`${id} ${stat[startedAt]}`, cpuOf(stat))
      const status = readIfThere(`/proc/${id}/status`)
      anonymous += bytesIn(status, 'RssAnon')
      shared += bytesIn(status, 'RssShmem')
      if (bytesIn(status, 'VmSize') > roomToHide) noteSegments(id, segments)
    }
    const hidden = [...segments.values()].reduce((sum, each) => sum + each, 0)
    const rssBytes = anonymous + Math.max(shared, hidden)
    const remembered = [...seen.values()].reduce((sum, each) => sum + each, 0)
    return { rssBytes, cpuMs: Math.max(cpuMs, remembered), processes }
  }
}

/** The process and everything below it. */
export function processesBelow(pid: number): number[] {
  return Array.from(walkTree(pid), ({ id }) => id)
}

/** The fields of `/proc/<pid>/stat` after the name, which may contain spaces and brackets. */
type Stat = readonly string[]

/**
 * A process is read before its children: if a child ends in between, its usage is missed for a moment instead of
 * counted twice.
 */
function* walkTree(root: number): Generator<{ id: number; stat: Stat }> {
  const seen = new Set([root])
  for (const id of seen) {
    const line = readIfThere(`/proc/${id}/stat`)
    if (line === '') continue
    const stat = line.slice(line.lastIndexOf(')') + 2).split(' ')
    yield { id, stat }
    for (const child of childrenOf(id, stat)) if (seen.size < maxProcesses) seen.add(child)
  }
}

/** Each thread has its own children. Most processes have one thread, and skipping the folder saves time. */
function childrenOf(id: number, stat: Stat): number[] {
  const threads = numberAt(stat, 17) > 1 ? namesIn(`/proc/${id}/task`) : [String(id)]
  return threads.flatMap((thread) => childrenOfThread(id, thread))
}

export function childrenOfThread(id: number, thread: string): number[] {
  return readIfThere(`/proc/${id}/task/${thread}/children`).split(' ').filter(Boolean).map(Number)
}

/** The kernel reports hundredths of a second, whatever its own clock. */
const msPerTick = 10

/** Distinguishes a process from a later one with the same id. */
const startedAt = 19

/** In user and kernel mode. */
function cpuOf(stat: Stat): number {
  return (numberAt(stat, 11) + numberAt(stat, 12)) * msPerTick
}

/** Of children that ended. */
function waitedForOf(stat: Stat): number {
  return (numberAt(stat, 13) + numberAt(stat, 14)) * msPerTick
}

function numberAt(stat: Stat, index: number): number {
  return Number(stat[index] ?? 0)
}

/** A process with less address space cannot hide much. */
const roomToHide = 128 << 20

/**
 * Shared anonymous memory stays in use when no process maps it into its resident set, and is then counted for none. So
 * its whole size is counted, once for all that share it.
 */
function noteSegments(id: number, segments: Map<string, number>): void {
  const maps = readIfThere(`/proc/${id}/maps`)
  for (const [, from = '', to = '', inode = ''] of maps.matchAll(
    /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ (\d+) +\/dev\/zero \(deleted\)$/gm,
  )) {
    const size = Number.parseInt(to, 16) - Number.parseInt(from, 16)
    segments.set(inode, Math.max(segments.get(inode) ?? 0, size))
  }
}

function bytesIn(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024
}

/** Empty if the process has ended. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
