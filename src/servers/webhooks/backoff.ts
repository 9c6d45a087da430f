/** When to try again. Pure: time and chance are parameters. */

const firstPauseMs = 5000
const growth = 4
const maxPauseMs = 6 * 3_600_000
/** What a server may ask us to wait, and the longest that anything waits. */
export const maxRequestedMs = 24 * 3_600_000

export interface Attempted {
  /** So far, this one included. */
  readonly attempts: number
  /** `Retry-After` of the answer, where there was one. */
  readonly retryAfter?: string | undefined
}

/** Each pause is four times the one before, up to six hours. Half of it is chance, so that a crowd does not come back as one. */
export function pauseAfter(
  { attempts, retryAfter }: Attempted,
  { now, random }: { now: number; random: () => number },
): number {
  const whole = Math.min(maxPauseMs, firstPauseMs * growth ** (attempts - 1))
  const pause = whole / 2 + (whole / 2) * random()
  return Math.round(Math.max(pause, requested(retryAfter, now)))
}

/** Seconds, or a date. */
function requested(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(ms) ? Math.min(maxRequestedMs, Math.max(0, ms)) : 0
}
