/** How much one caller may ask for. Pure but for the clock. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'

export interface CallerLimits {
  /** Counts a call and answers how to say that it ended. Throws CALLER_LIMITED where it is one too many. */
  enter(caller: string): () => void
}

interface Allowance {
  /** What the calls that may be made right now cost; refilled as time goes by. Whole numbers: nothing is lost in rounding. */
  left: number
  refilledAt: number
  open: number
}

/** What one call costs. A millisecond brings as much as there are calls in a minute. */
const minuteMs = 60_000
/** More callers than a machine has; beyond that, those that are at rest are forgotten. */
const maxCallers = 1000

export function createCallerLimits(options: {
  readonly perMinute: number
  readonly atOnce: number
  readonly clock: Clock
}): CallerLimits {
  const { perMinute, atOnce, clock } = options
  const full = perMinute * minuteMs
  const callers = new Map<string, Allowance>()

  const refill = (allowance: Allowance): void => {
    const now = clock()
    const gained = Math.max(0, now - allowance.refilledAt) * perMinute
    allowance.left = Math.min(full, allowance.left + gained)
    allowance.refilledAt = now
  }

  const allowanceOf = (caller: string): Allowance => {
    const known = callers.get(caller)
    if (known !== undefined) return known
    if (callers.size >= maxCallers) forgetResting()
    const fresh = { left: full, refilledAt: clock(), open: 0 }
    callers.set(caller, fresh)
    return fresh
  }

  const forgetResting = (): void => {
    for (const [caller, allowance] of callers) {
      refill(allowance)
      if (allowance.open === 0 && allowance.left >= full) callers.delete(caller)
    }
  }

  return {
    enter(caller) {
      const allowance = allowanceOf(caller)
      if (allowance.open >= atOnce) {
        throw new ContextdError('CALLER_LIMITED', { limit: `${atOnce} calls at once` })
      }
      refill(allowance)
      if (allowance.left < minuteMs) {
        const retry_after_ms = Math.ceil((minuteMs - allowance.left) / perMinute)
        throw new ContextdError('CALLER_LIMITED', { limit: `${perMinute} calls a minute`, retry_after_ms })
      }
      allowance.left -= minuteMs
      allowance.open += 1
      let isOpen = true
      return () => {
        if (isOpen) allowance.open -= 1
        isOpen = false
      }
    },
  }
}
