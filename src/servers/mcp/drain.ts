import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import type { Next } from '../../core/stage.ts'

/** The pipeline, with a count of running calls. */
export interface CountedCalls {
  readonly handle: Next
  readonly running: (session: string) => boolean
  /** Resolves when no call is running. */
  idle(): Promise<void>
}

export function countCalls(handle: Next): CountedCalls {
  const bySession = new Map<string, number>()
  let waiting: (() => void)[] = []
  const add = (session: string, change: 1 | -1): void => {
    const now = (bySession.get(session) ?? 0) + change
    if (now > 0) bySession.set(session, now)
    else bySession.delete(session)
    if (bySession.size > 0) return
    for (const wake of waiting) wake()
    waiting = []
  }
  return {
    async handle(call) {
      add(call.session, 1)
      try {
        return await handle(call)
      } finally {
        add(call.session, -1)
      }
    },
    running: (session) => bySession.has(session),
    idle: () => (bySession.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

export interface Grace {
  readonly ms: number
  /** Ends the grace period early. */
  readonly hurry?: AbortSignal
}

/**
 * Lets running calls finish within the grace period, then closes the connections, which cancels the rest, and waits
 * until those are recorded.
 */
export async function drain(calls: CountedCalls, grace: Grace, close: () => Promise<void>): Promise<void> {
  // Messages already read become calls, and results of ended calls become bytes, within one turn of the event loop.
  await nextTurn()
  await within(calls.idle(), grace)
  await nextTurn()
  await close()
  await within(calls.idle(), { ms: grace.ms })
}

/** Waits for a promise, but not longer than the grace period. */
export async function within(done: Promise<void>, { ms, hurry }: Grace): Promise<void> {
  const timer = new AbortController()
  const signal = hurry === undefined ? timer.signal : AbortSignal.any([timer.signal, hurry])
  await Promise.race([done, delay(ms, undefined, { signal }).catch(() => {})])
  timer.abort()
}
