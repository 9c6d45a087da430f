import type { Clock } from '../../core/ports.ts'
import type { Log } from '../../platform/log.ts'

export interface Retention {
  readonly days: number
  readonly clock: Clock
  readonly report: Log
  /** Each removes what was written before that time (epoch milliseconds). */
  readonly prune: readonly ((before: number) => number)[]
}

const day = 86_400_000
/** Not at once: a client waits for the start of its server. */
const firstAfterMs = 5000

/** Removes what is older than it may be, soon after the start and then four times a day. Answers how to stop. */
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
