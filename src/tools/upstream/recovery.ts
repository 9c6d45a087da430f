/** When to try a server again that failed. Pure: the time is a parameter. */

export interface ServerFailure {
  readonly why: string
  /** What it last wrote to its standard error. */
  readonly lastLine?: string | undefined
}

export interface FailureState extends ServerFailure {
  /** Since when it fails, epoch milliseconds. */
  readonly since: number
  readonly failures: number
  /** Nobody tries before that. */
  readonly retryAt: number
}

const firstPauseMs = 500
const maxPauseMs = 60_000

/** The first failure may be chance, so the next call tries at once. Each further one doubles the pause. */
export function afterFailure(
  before: FailureState | undefined,
  failure: ServerFailure,
  now: number,
): FailureState {
  const failures = (before?.failures ?? 0) + 1
  const pause = failures === 1 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 2))
  return { ...failure, since: before?.since ?? now, failures, retryAt: now + pause }
}
