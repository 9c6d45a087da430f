/**
 * Deadlines of calls. Uses a single timer for all: starting and stopping one per call costs more than everything else
 * here.
 */

export interface Deadlines {
  /** Calls `expire` after `ms` milliseconds unless the returned function is called first. */
  within(ms: number, expire: () => void): () => void
}

interface Deadline {
  /** On the monotonic clock of `performance`. */
  readonly due: number
  readonly expire: () => void
}

/** The maximum of `setTimeout`. */
const maxMs = 2 ** 31 - 1

export function createDeadlines(): Deadlines {
  const waiting = new Set<Deadline>()
  let timer: NodeJS.Timeout | undefined
  let wakesAt = Infinity

  const wakeAt = (due: number, now: number): void => {
    clearTimeout(timer)
    wakesAt = due
    timer = setTimeout(wake, Math.min(maxMs, Math.max(0, Math.ceil(due - now))))
  }

  const wake = (): void => {
    timer = undefined
    wakesAt = Infinity
    const now = performance.now()
    let next = Infinity
    for (const deadline of waiting) {
      if (deadline.due > now) next = Math.min(next, deadline.due)
      else {
        waiting.delete(deadline)
        deadline.expire()
      }
    }
    if (next < wakesAt) wakeAt(next, now)
  }

  return {
    within(ms, expire) {
      const now = performance.now()
      const deadline: Deadline = { due: now + ms, expire }
      waiting.add(deadline)
      if (deadline.due < wakesAt) wakeAt(deadline.due, now)
      else if (waiting.size === 1) timer?.ref()
      return () => {
        // The timer stays for the next call, but does not keep the process alive.
        if (waiting.delete(deadline) && waiting.size === 0) timer?.unref()
      }
    },
  }
}
