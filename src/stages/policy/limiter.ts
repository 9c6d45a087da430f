import type { Clock } from '../../core/ports.ts'
import type { CallLimits } from './rules-schema.ts'

/** Limits that a call must satisfy, and the caller whose calls count towards them. */
export interface Gate {
  readonly caller: string
  readonly limits: CallLimits
}

export type Admission<G extends Gate> =
  | { readonly ok: true; leave(): void }
  | {
      readonly ok: false
      /** The gate whose limit was reached. */
      readonly gate: G
      readonly by: 'calls_per_minute' | 'concurrency'
      readonly limit: number
      readonly retryAfterMs?: number
    }

/** Counts calls per caller, in this process. */
export interface Limiter {
  /** Enters all gates or none. An admitted call must leave; rejected calls are not counted. */
  enter<G extends Gate>(gates: readonly G[]): Admission<G>
}

interface Usage {
  active: number
  /** Start times of the calls in the last minute. */
  times: number[]
}

const windowMs = 60_000
/** When there are more callers than this, idle ones are dropped. */
const maxCallers = 1000

export function createLimiter(clock: Clock): Limiter {
  const callers = new Map<string, Usage>()

  const recent = (usage: Usage, now: number): number[] =>
    // The second condition drops times in the future after a clock correction.
    usage.times.filter((time) => now - time < windowMs && time <= now)

  const usageOf = (caller: string, now: number): Usage => {
    const known = callers.get(caller)
    if (known !== undefined) return known
    if (callers.size >= maxCallers) {
      for (const [name, usage] of callers) {
        if (usage.active === 0 && recent(usage, now).length === 0) callers.delete(name)
      }
    }
    const fresh: Usage = { active: 0, times: [] }
    callers.set(caller, fresh)
    return fresh
  }

  /** The limit that rejects the call. */
  const exceededLimit = <G extends Gate>(
    gate: G,
    now: number,
  ): Extract<Admission<G>, { ok: false }> | undefined => {
    const { calls_per_minute: perMinute, concurrency } = gate.limits
    const usage = usageOf(gate.caller, now)
    usage.times = recent(usage, now)
    if (perMinute !== undefined && usage.times.length >= perMinute) {
      const retryAfterMs = (usage.times[usage.times.length - perMinute] ?? now) + windowMs - now
      return { ok: false, gate, by: 'calls_per_minute', limit: perMinute, retryAfterMs }
    }
    return concurrency !== undefined && usage.active >= concurrency
      ? { ok: false, gate, by: 'concurrency', limit: concurrency }
      : undefined
  }

  return {
    enter(gates) {
      const counting = gates.filter(({ limits }) => limits.calls_per_minute ?? limits.concurrency)
      if (counting.length === 0) return { ok: true, leave() {} }
      const now = clock()
      for (const gate of counting) {
        const exceeded = exceededLimit(gate, now)
        if (exceeded !== undefined) return exceeded
      }
      const entered = counting.map(({ caller, limits }) => {
        const usage = usageOf(caller, now)
        if (limits.calls_per_minute !== undefined) usage.times.push(now)
        usage.active++
        return usage
      })
      let left = false
      return {
        ok: true,
        leave() {
          if (!left) for (const usage of entered) usage.active--
          left = true
        },
      }
    },
  }
}
