import { setTimeout as sleep } from 'node:timers/promises'

import type { Cgroup } from './cgroup/cgroup.ts'
import { createDiskMeter } from './disk-use.ts'
import { filesInMemory } from './files-in-memory.ts'
import { createTreeMeter } from './process-tree.ts'
import type { LimitName, SandboxLimits } from './sandbox.ts'

export interface Watched {
  /** The root process of the tree. */
  readonly pid: number
  readonly limits: Pick<SandboxLimits, 'cpuSeconds' | 'memoryBytes' | 'diskBytes' | 'diskFiles'>
  /** Measures memory better than we can, if available. */
  readonly cgroup: Cgroup | undefined
  /** The writable folders. */
  readonly folders: readonly string[]
  /** Called at most once; the callee kills the tree. */
  readonly onExceeded: (limit: LimitName) => void
}

/** Memory fills up fast, and only a cgroup limits it by itself. The rest can wait. */
const intervalMs = { withoutCgroup: 50, withCgroup: 200 }
const diskIntervalMs = 1000
/** Measuring a tree of many processes takes time: at most a twentieth of it is spent on that. */
const maxShareDivisor = 20

/**
 * Measures periodically what the kernel does not limit for a whole tree, so a limit can be exceeded for a moment. The
 * returned function stops it and returns the limit that was reached, including those that the kernel enforces.
 */
export function watch({ pid, limits, cgroup, folders, onExceeded }: Watched): () => LimitName | undefined {
  const usage = createTreeMeter(pid)
  const disk = createDiskMeter(folders, { bytes: limits.diskBytes, files: limits.diskFiles })
  const stopped = new AbortController()
  const { signal } = stopped
  const pauseMs = cgroup === undefined ? intervalMs.withoutCgroup : intervalMs.withCgroup
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
    return Math.max(pauseMs, (performance.now() - began) * maxShareDivisor)
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

/** Repeats until stopped, with the pause that the last measurement asked for. Does not keep the process alive. */
async function repeat(
  firstPauseMs: number,
  signal: AbortSignal,
  measure: () => number | Promise<number>,
): Promise<void> {
  let pauseMs = firstPauseMs
  try {
    while (!signal.aborted) {
      await sleep(pauseMs, undefined, { ref: false, signal })
      pauseMs = await measure()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
