/** Rate limits for what servers send unasked. The clock is a parameter. */

import type { Clock } from '../../core/ports.ts'

/** A token bucket: returns whether one more is allowed. */
export function createAllowance(burst: number, perSecond: number, clock: Clock): () => boolean {
  let left = burst
  let at = clock()
  return () => {
    const now = clock()
    left = Math.min(burst, left + ((now - at) / 1000) * perSecond)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

/** Runs the first task of each kind immediately, and only the last of those that follow within `ms`, when `ms` is over. */
export function createThrottle(ms: number, maxKinds: number): (kind: string, work: () => void) => void {
  const waiting = new Map<string, (() => void) | undefined>()
  const run = (kind: string, work: () => void): void => {
    if (waiting.has(kind)) return void waiting.set(kind, work)
    if (waiting.size >= maxKinds) return
    waiting.set(kind, undefined)
    const timer = setTimeout(() => {
      const next = waiting.get(kind)
      waiting.delete(kind)
      if (next !== undefined) run(kind, next)
    }, ms)
    timer.unref()
    work()
  }
  return run
}
