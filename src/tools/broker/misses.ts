import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'

/** The wrong keys of the last minute, in this process. */
export interface Misses {
  /** RATE_LIMITED after too many misses, whatever the next key is: otherwise a right one would stand out. */
  refusalFor(caller: string): ContextdError | undefined
  add(caller: string): void
}

const windowMs = 60_000
/** A wrongly copied key causes one or two misses. */
export const maxPerCaller = 5
/** Limits guesses under many names. */
export const maxTotal = 20

export function createMisses(clock: Clock): Misses {
  let misses: readonly { readonly caller: string; readonly at: number }[] = []

  const tooMany = (agent: string, limit: string, first: number): ContextdError =>
    new ContextdError('RATE_LIMITED', {
      agent,
      limit,
      retry_after_ms: first + windowMs - clock(),
      hint: 'Wait a minute, then use the key exactly as your instructions give it.',
    })

  return {
    refusalFor(caller) {
      const now = clock()
      // The upper bound drops times in the future, left by a corrected clock.
      misses = misses.filter(({ at }) => now - at < windowMs && at <= now)
      const own = misses.filter((miss) => miss.caller === caller)
      const [firstOwn] = own
      if (firstOwn !== undefined && own.length >= maxPerCaller) {
        return tooMany(caller, `${maxPerCaller} wrong keys per minute`, firstOwn.at)
      }
      const [first] = misses
      if (first !== undefined && misses.length >= maxTotal) {
        return tooMany(caller, `${maxTotal} wrong keys per minute of all agents together`, first.at)
      }
      return undefined
    },
    add(caller) {
      misses = [...misses, { caller, at: clock() }]
    },
  }
}
