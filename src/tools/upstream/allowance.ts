/** How much a server may say unasked. Pure but for the timers: the clock is a parameter. */

import type { Clock } from '../../core/ports.ts'

/** Answers whether there is one left: so many at once, and then so many a second. */
export function createAllowance(atOnce: number, perSecond: number, clock: Clock): () => boolean {
  let left = atOnce
  let at = clock()
  return () => {
    const now = clock()
    left = Math.min(atOnce, left + ((now - at) / 1000) * perSecond)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

/** Does the first of each kind at once; however many come within `ms` of it, they are one more at the end. */
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
