import type { Call } from '../core/call.ts'

/** Reserved for returning the result. */
const reserveMs = 500

/** The time a program may take for this call. */
export function timeLeft({ deadline }: Call, now: number): number {
  return deadline - now - reserveMs
}
