/**
 * Schedules work that blocks the thread for some milliseconds per piece: one piece at a time, callers in turn, with
 * pauses for other work.
 */

import { createFairQueue } from './fair-queue.ts'

export interface Turns {
  /** Resolves when the caller may run one piece of its work, which must start before it awaits anything else. */
  take(caller: string): Promise<void>
}

/** Long enough to answer small calls between two pieces. */
const pauseMs = 5
/** The calls that use it are already limited. */
const unlimited = { maxItems: Infinity, maxSize: Infinity }

export function createTurns(): Turns {
  const queue = createFairQueue<() => void>({ perCaller: unlimited, total: unlimited })
  let isPaused = false
  const next = (): void => {
    const entry = queue.take(() => true)
    isPaused = entry !== undefined
    if (entry === undefined) return
    // An immediate after the timer: on a busy machine, the timer may be due before other work had its turn.
    setTimeout(() => setImmediate(next), pauseMs)
    entry.item()
  }
  return {
    take: (caller) =>
      new Promise((resolve) => {
        queue.add(caller, 0, resolve)
        if (isPaused) return
        isPaused = true
        setImmediate(next)
      }),
  }
}
