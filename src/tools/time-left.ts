import type { Call } from '../core/call.ts'

/** Of the time a call has, for the answer itself. */
const reserveMs = 500

/** What a program may take that runs for this call. */
export function timeLeft({ deadline }: Call, now: number): number {
  return deadline - now - reserveMs
}
