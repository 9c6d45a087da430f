/** Rate limits per caller. Pure except for the clock. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { counted } from '@contextd/shared/text/counted'

export interface CallerLimits {
  /** Counts a call, and returns a function to call when it ends. Throws CALLER_LIMITED if it exceeds a limit. */
  enter(caller: string): () => void
}

interface Allowance {
  /** Remaining allowance, refilled over time. An integer, to avoid rounding errors. */
  left: number
  refilledAt: number
  open: number
}

/** The cost of one call. Each millisecond adds as many units as calls are allowed per minute. */
const minuteMs = 60_000
/** More than the callers of one machine; beyond that, idle ones are removed. */
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
    if (callers.size >= maxCallers) removeIdle()
    const fresh = { left: full, refilledAt: clock(), open: 0 }
    callers.set(caller, fresh)
    return fresh
  }

  const removeIdle = (): void => {
    for (const [caller, allowance] of callers) {
      refill(allowance)
      if (allowance.open === 0 && allowance.left >= full) callers.delete(caller)
    }
  }

  return {
    enter(caller) {
      const allowance = allowanceOf(caller)
      if (allowance.open >= atOnce) {
        throw new ContextdError('CALLER_LIMITED', { limit: `${counted(atOnce, 'call')} at once` })
      }
      refill(allowance)
      if (allowance.left < minuteMs) {
        const retry_after_ms = Math.ceil((minuteMs - allowance.left) / perMinute)
        throw new ContextdError('CALLER_LIMITED', {
          limit: `${counted(perMinute, 'call')} a minute`,
          retry_after_ms,
        })
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
