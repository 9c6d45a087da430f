import { readFileSync } from 'node:fs'

import { namesIn } from '@contextd/shared/files/names-in'

export interface TreeUsage {
  /**
   * Memory of their own, summed over the processes. Pages of files are left out: the kernel can drop them, and programs
   * share them. What processes share otherwise counts for each of them.
   */
  readonly rssBytes: number
  /** With what their ended children used, as far as somebody waited for those. */
  readonly cpuMs: number
  readonly processes: number
}

/** Far above every limit on processes; a walk that takes longer than that would hold up everything else. */
const maxProcesses = 4096

/** What a process and everything below it use right now. One that is gone uses nothing. */
export function usageOf(pid: number): TreeUsage {
  return createTreeMeter(pid)()
}

/**
 * Looks at the same tree again and again, and remembers what it saw: what a process used that ended without anyone
 * waiting for it is told nowhere else. One that comes and goes between two looks is missed.
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

/** The fields of a line of `/proc/<pid>/stat` after the name, which may hold blanks and brackets itself. */
type Stat = readonly string[]

/**
 * A process is read before its children: what a child used that ends meanwhile is then missed for a moment, and not
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

/** Each thread has its own. Most processes have just the one, and reading a folder less adds up. */
function childrenOf(id: number, stat: Stat): number[] {
  const threads = numberAt(stat, 17) > 1 ? namesIn(`/proc/${id}/task`) : [String(id)]
  return threads.flatMap((thread) => childrenOfThread(id, thread))
}

export function childrenOfThread(id: number, thread: string): number[] {
  return readIfThere(`/proc/${id}/task/${thread}/children`).split(' ').filter(Boolean).map(Number)
}

/** The kernel tells programs in hundredths of a second, whatever its own clock. */
const msPerTick = 10

/** Tells a process from a later one with the same number. */
const startedAt = 19

/** In user and in kernel mode. */
function cpuOf(stat: Stat): number {
  return (numberAt(stat, 11) + numberAt(stat, 12)) * msPerTick
}

/** The same of its children that ended. */
function waitedForOf(stat: Stat): number {
  return (numberAt(stat, 13) + numberAt(stat, 14)) * msPerTick
}

function numberAt(stat: Stat, index: number): number {
  return Number(stat[index] ?? 0)
}

/** A process of less address space cannot hold much that is not seen. */
const roomToHide = 128 << 20

/**
 * Memory without a file that processes share stays in use when nobody looks at it, and then counts for none of them. So
 * its whole size counts, once for all who share it.
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

/** Empty where it ended meanwhile. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
