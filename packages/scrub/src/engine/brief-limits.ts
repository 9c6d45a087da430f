/** Limits on one check at a time, for a thread with other callers that must not be blocked. */

import { textOverhead } from './scrubbed.ts'

/** The text is valid, but scrubbing it would block this thread for too long. */
export class NotBrief extends Error {}

export interface BriefLimits {
  /** Starts a check. The returned function must be called before each of its texts. */
  startCheck(): (text: string) => void
  /** Lifts the limits until the next text of a check. */
  lift(): void
  /** Counts a new secret; false if the check has too many. */
  countNew(): boolean
  checkTime(now: number): void
}

/** The remaining limits of one check. */
interface BriefBudget {
  newLeft: number
  /** Total size of the texts so far. */
  size: number
  /** Deadline, set by the first timed text so that preparations do not count. */
  end?: number
}

/** Texts up to this size are not timed: they are fast, except while the scrubber is starting. */
const maxUntimedSize = 2048

export function createBriefLimits(maxNew: number, briefMs: number, clock: () => number): BriefLimits {
  /** Budget of the current check; undefined if it is unlimited. */
  let current: BriefBudget | undefined

  const checkTime = (now: number): void => {
    if (current === undefined || current.size <= maxUntimedSize) return
    current.end ??= now + briefMs
    if (now > current.end) throw new NotBrief('the text takes too long for this thread')
  }

  return {
    startCheck() {
      const budget: BriefBudget = { newLeft: maxNew, size: 0 }
      return (text) => {
        current = budget
        // Also before the text: a short one may finish before the search checks the clock.
        checkTime(clock())
        budget.size += text.length + textOverhead
      }
    },
    lift() {
      current = undefined
    },
    countNew: () => current === undefined || --current.newLeft >= 0,
    checkTime,
  }
}
