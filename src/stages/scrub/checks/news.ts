import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'

/** Secret values that became known in this process, in order: each worker requests those it does not have yet. */
export interface News {
  add(found: FoundSecret): void
  /** How many there were so far: the mark for requesting later ones. */
  count(): number
  /** The values after `mark`, and the next mark; starts with 0. */
  since(mark: number): { readonly news: readonly FoundSecret[]; readonly mark: number }
}

/** Roughly the capacity of a scrubber. */
export function createNews(maxKept = 10_000): News {
  let kept: FoundSecret[] = []
  let dropped = 0
  const count = (): number => dropped + kept.length
  return {
    add(found) {
      kept.push(found)
      // In large batches, because moving the array for each value would be slow.
      if (kept.length < 2 * maxKept) return
      dropped += kept.length - maxKept
      kept = kept.slice(-maxKept)
    },
    count,
    since: (mark) => ({ news: kept.slice(Math.max(0, mark - dropped)), mark: count() }),
  }
}
