import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'

/** Values that became known in this process, in order: each worker asks for what it has not heard of. */
export interface News {
  add(found: FoundSecret): void
  /** How many came so far: the mark to ask with for what comes next. */
  count(): number
  /** What came after `mark`, and the mark to ask with next; begin with 0. */
  since(mark: number): { readonly news: readonly FoundSecret[]; readonly mark: number }
}

/** About as many as a scrubber has room for. */
export function createNews(maxKept = 10_000): News {
  let kept: FoundSecret[] = []
  let dropped = 0
  const count = (): number => dropped + kept.length
  return {
    add(found) {
      kept.push(found)
      // Rarely, and then many at once: to move all of them for each would take long.
      if (kept.length < 2 * maxKept) return
      dropped += kept.length - maxKept
      kept = kept.slice(-maxKept)
    },
    count,
    since: (mark) => ({ news: kept.slice(Math.max(0, mark - dropped)), mark: count() }),
  }
}
