/** When calls are to be given up. One timer for all: to start and stop one with every call costs more than the rest of it. */

export interface Deadlines {
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  within(ms: number, expire: () => void): () => void
}

interface Waiting {
  /** On the clock of `performance`, which nobody sets back. */
  readonly due: number
  readonly expire: () => void
}

/** What `setTimeout` can wait for. */
const maxMs = 2 ** 31 - 1

export function createDeadlines(): Deadlines {
  const waiting = new Set<Waiting>()
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
    for (const one of waiting) {
      if (one.due > now) next = Math.min(next, one.due)
      else {
        waiting.delete(one)
        one.expire()
      }
    }
    if (next < wakesAt) wakeAt(next, now)
  }

  return {
    within(ms, expire) {
      const now = performance.now()
      const one: Waiting = { due: now + ms, expire }
      waiting.add(one)
      if (one.due < wakesAt) wakeAt(one.due, now)
      else if (waiting.size === 1) timer?.ref()
      return () => {
        // The timer stays for the next call, but keeps no process alive.
        if (waiting.delete(one) && waiting.size === 0) timer?.unref()
      }
    },
  }
}
