import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'

/** Wrong keys of the last minute, in this process. */
export interface Misses {
  /** RATE_LIMITED where there were too many, whatever the next key is: a right one would show among wrong ones. */
  refusalFor(caller: string): ContextdError | undefined
  add(caller: string): void
}

const windowMs = 60_000
/** Whoever copies a key wrong does it once or twice. */
export const maxPerCaller = 5
/** For guesses under many names. */
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
      // The second half forgets times that a corrected clock has put into the future.
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
