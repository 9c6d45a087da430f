import type { Clock } from '../../core/ports.ts'
import type { Limits } from './rules-schema.ts'

export type Admission =
  | { readonly ok: true; leave(): void }
  | {
      readonly ok: false
      readonly by: 'calls_per_minute' | 'concurrency'
      readonly limit: number
      readonly retryAfterMs?: number
    }

/** Counts calls per caller, in this process. */
export interface Limiter {
  /** Whoever is let in must leave. Calls that are not let in do not count. */
  enter(caller: string, limits: Limits): Admission
}

interface Usage {
  active: number
  /** When the calls of the last minute began. */
  times: number[]
}

const windowMs = 60_000
/** Callers without calls are forgotten when there are more than this. */
const rememberedCallers = 1000

export function createLimiter(clock: Clock): Limiter {
  const callers = new Map<string, Usage>()

  const recent = (usage: Usage, now: number): number[] =>
    // The second half forgets times that a corrected clock has put into the future.
    usage.times.filter((time) => now - time < windowMs && time <= now)

  const usageOf = (caller: string, now: number): Usage => {
    const known = callers.get(caller)
    if (known !== undefined) return known
    if (callers.size >= rememberedCallers) {
      for (const [name, usage] of callers) {
        if (usage.active === 0 && recent(usage, now).length === 0) callers.delete(name)
      }
    }
    const fresh: Usage = { active: 0, times: [] }
    callers.set(caller, fresh)
    return fresh
  }

  return {
    enter(caller, { calls_per_minute: perMinute, concurrency }) {
      if (perMinute === undefined && concurrency === undefined) return { ok: true, leave() {} }
      const now = clock()
      const usage = usageOf(caller, now)
      usage.times = recent(usage, now)
      if (perMinute !== undefined && usage.times.length >= perMinute) {
        const retryAfterMs = (usage.times[usage.times.length - perMinute] ?? now) + windowMs - now
        return { ok: false, by: 'calls_per_minute', limit: perMinute, retryAfterMs }
      }
      if (concurrency !== undefined && usage.active >= concurrency) {
        return { ok: false, by: 'concurrency', limit: concurrency }
      }
      if (perMinute !== undefined) usage.times.push(now)
      usage.active++
      let left = false
      return {
        ok: true,
        leave() {
          if (!left) usage.active--
          left = true
        },
      }
    },
  }
}
