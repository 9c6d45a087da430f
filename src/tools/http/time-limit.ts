import { FetchProblem } from './fetch-problem.ts'

export interface TimeLimit {
  readonly signal: AbortSignal
  /** Must always be called, so that the timer does not fire later. */
  stop(): void
}

/** One signal for a timeout and for cancellation, with the problem as its reason. */
export function limitTime(timeMs: number, unwanted?: AbortSignal): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new FetchProblem('timeout', `there was no answer within ${timeMs} ms`)),
    timeMs,
  )
  const cancel = (): void => controller.abort(new FetchProblem('cancelled', 'the request was cancelled'))
  if (unwanted?.aborted === true) cancel()
  unwanted?.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer)
      unwanted?.removeEventListener('abort', cancel)
    },
  }
}
