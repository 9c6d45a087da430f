import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { childrenOfThread } from './process-tree.ts'

/**
 * Killing the first process inside kills all others, and bubblewrap ends with it: so the end of bubblewrap means the
 * end of everything. If bubblewrap itself were killed, the rest would die a moment later.
 */
export function killInside(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  const inside = childrenOf(pid)
  for (const each of inside) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // Already dead.
    }
  }
  // Nothing runs inside yet, so there is nothing to wait for.
  if (inside.length === 0) child.kill('SIGKILL')
  else setTimeout(() => child.kill('SIGKILL'), timeoutMs).unref()
}

/** Far more than the kernel needs to end a few hundred processes. */
const timeoutMs = 2000

/** Resolves when a process has ended. The first one inside ends after all others: the kernel waits for them. */
export async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await sleep(1)
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** For bubblewrap, which has one thread. */
export function childrenOf(pid: number): number[] {
  return childrenOfThread(pid, String(pid))
}
