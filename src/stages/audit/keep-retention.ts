import type { Clock } from '../../core/ports.ts'
import type { Log } from '../../platform/log.ts'

export interface Retention {
  readonly days: number
  readonly clock: Clock
  readonly report: Log
  /** Each deletes data written before that time (epoch milliseconds). */
  readonly prune: readonly ((before: number) => number)[]
}

const day = 86_400_000
/** Delayed, because clients wait for their server to start. */
const firstAfterMs = 5000

/** Deletes expired data soon after the start and then four times a day. Returns a function that stops it. */
export function keepRetention({ days, clock, report, prune }: Retention): () => void {
  const run = (): void => {
    try {
      for (const remove of prune) remove(clock() - days * day)
    } catch (error) {
      report('error', 'old audit records could not be removed', { cause: String(error) })
    }
  }
  const first = setTimeout(run, firstAfterMs).unref()
  const next = setInterval(run, day / 4).unref()
  return () => {
    clearTimeout(first)
    clearInterval(next)
  }
}
