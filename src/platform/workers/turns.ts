/** Pieces of work that each block the thread for some milliseconds: one at a time, callers in turn, others in between. */

import { createFairQueue } from './fair-queue.ts'

export interface Turns {
  /** Resolves when the caller may do one piece of its work, before it waits for anything else. */
  take(caller: string): Promise<void>
}

/** Long enough for small calls to be answered between two pieces. */
const pauseMs = 5
/** The calls behind it are limited already. */
const unlimited = { maxItems: Infinity, maxSize: Infinity }

export function createTurns(): Turns {
  const queue = createFairQueue<() => void>({ perCaller: unlimited, total: unlimited })
  let isPaused = false
  const next = (): void => {
    const taken = queue.take(() => true)
    isPaused = taken !== undefined
    if (taken === undefined) return
    // An immediate after the timer: on a busy machine the timer may be due before others had their turn.
    setTimeout(() => setImmediate(next), pauseMs)
    taken.item()
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
