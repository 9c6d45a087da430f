import { setTimeout as sleep } from 'node:timers/promises'

import type { Cgroup } from './cgroup/cgroup.ts'
import { createDiskMeter } from './disk-use.ts'
import { filesInMemory } from './files-in-memory.ts'
import { createTreeMeter } from './process-tree.ts'
import type { LimitName, SandboxLimits } from './sandbox.ts'

export interface Watched {
  /** The process whose tree it is. */
  readonly pid: number
  readonly limits: Pick<SandboxLimits, 'cpuSeconds' | 'memoryBytes' | 'diskBytes' | 'diskFiles'>
  /** Counts the memory better than we can, where there is one. */
  readonly cgroup: Cgroup | undefined
  /** What it may write to. */
  readonly folders: readonly string[]
  /** Called at most once; whoever is told ends the tree. */
  readonly onExceeded: (limit: LimitName) => void
}

/** Memory fills up fast, and only a cgroup stops it by itself. The rest can wait. */
const lookEveryMs = { withoutCgroup: 50, withCgroup: 200 }
const diskIntervalMs = 1000
/** A tree of many processes takes a while to look at: no more than this part of the time is spent on it. */
const share = 20

/**
 * Looks now and then at what the kernel does not limit for a whole tree, so a limit can be exceeded for a moment. The
 * answer stops it and says which limit was met, also of those that the kernel holds by itself.
 */
export function watch({ pid, limits, cgroup, folders, onExceeded }: Watched): () => LimitName | undefined {
  const usage = createTreeMeter(pid)
  const disk = createDiskMeter(folders, { bytes: limits.diskBytes, files: limits.diskFiles })
  const stopped = new AbortController()
  const { signal } = stopped
  const pauseMs = cgroup === undefined ? lookEveryMs.withoutCgroup : lookEveryMs.withCgroup
  let met: LimitName | undefined

  const report = (limit: LimitName | undefined): void => {
    if (limit === undefined || signal.aborted) return
    met = limit
    stopped.abort()
    onExceeded(limit)
  }
  const checkTree = (): number => {
    const began = performance.now()
    const { cpuMs, rssBytes } = usage()
    const tooMuch = cgroup === undefined ? rssBytes > limits.memoryBytes : cgroup.exceeded().memory
    report(tooMuch ? 'memory' : cpuMs > limits.cpuSeconds * 1000 ? 'cpu' : undefined)
    return Math.max(pauseMs, (performance.now() - began) * share)
  }
  const checkDisk = async (): Promise<number> => {
    const { bytes, files } = await disk.grown(pid, signal)
    const isLittered = files > limits.diskFiles || filesInMemory(pid) > limits.diskFiles
    report(bytes > limits.diskBytes ? 'disk' : isLittered ? 'files' : undefined)
    return diskIntervalMs
  }
  void repeat(pauseMs, signal, checkTree)
  void repeat(diskIntervalMs, signal, checkDisk)

  return () => {
    stopped.abort()
    if (met !== undefined || cgroup === undefined) return met
    const { memory, processes } = cgroup.exceeded()
    return memory ? 'memory' : processes ? 'processes' : undefined
  }
}

/** Looks again and again until it is stopped, after the pause that the last look asked for. Keeps nothing alive. */
async function repeat(
  firstPauseMs: number,
  signal: AbortSignal,
  look: () => number | Promise<number>,
): Promise<void> {
  let pauseMs = firstPauseMs
  try {
    while (!signal.aborted) {
      await sleep(pauseMs, undefined, { ref: false, signal })
      pauseMs = await look()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
