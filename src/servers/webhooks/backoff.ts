/** When to retry. Pure: time and randomness are parameters. */

const firstPauseMs = 5000
const growth = 4
const maxPauseMs = 6 * 3_600_000
/** The maximum that a server may ask us to wait, and the maximum pause. */
export const maxRequestedMs = 24 * 3_600_000

export interface Attempted {
  /** Including the current attempt. */
  readonly attempts: number
  /** `Retry-After` of the response, if any. */
  readonly retryAfter?: string | undefined
}

/** Each pause is four times the previous one, up to six hours. Half of it is random, to spread retries. */
export function pauseAfter(
  { attempts, retryAfter }: Attempted,
  { now, random }: { now: number; random: () => number },
): number {
  const fullPauseMs = Math.min(maxPauseMs, firstPauseMs * growth ** (attempts - 1))
  const pause = fullPauseMs / 2 + (fullPauseMs / 2) * random()
  return Math.round(Math.max(pause, requested(retryAfter, now)))
}

/** Seconds, or a date. */
function requested(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(ms) ? Math.min(maxRequestedMs, Math.max(0, ms)) : 0
}
