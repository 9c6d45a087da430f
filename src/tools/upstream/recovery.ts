/** When to retry a failed server. Pure: the time is a parameter. */

export interface ServerFailure {
  readonly why: string
  /** The last line of its standard error. */
  readonly lastLine?: string | undefined
}

export interface FailureState extends ServerFailure {
  /** The first failure, in epoch milliseconds. */
  readonly since: number
  readonly failures: number
  /** No attempt is made before that. */
  readonly retryAt: number
}

const firstPauseMs = 500
const maxPauseMs = 60_000

/** The first failure may be chance, so the next call retries immediately. Each further failure doubles the pause. */
export function afterFailure(
  before: FailureState | undefined,
  failure: ServerFailure,
  now: number,
): FailureState {
  const failures = (before?.failures ?? 0) + 1
  const pause = failures === 1 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 2))
  return { ...failure, since: before?.since ?? now, failures, retryAt: now + pause }
}
