import type { FoundSecret } from '../session-tokens.ts'

/** Values that became known in this process, in order: each worker asks for what it has not heard of. */
export interface News {
  add(found: FoundSecret): void
  /** What came after `mark`, and the mark to ask with next; begin with 0. */
  since(mark: number): { readonly news: readonly FoundSecret[]; readonly mark: number }
}

/** About as many as a scrubber has room for. */
export function createNews(maxKept = 10_000): News {
  const known = new Set<string>()
  let kept: FoundSecret[] = []
  let dropped = 0
  return {
    add(found) {
      if (known.has(found.value)) return
      known.add(found.value)
      kept.push(found)
      // Rarely, and then many at once: to move all of them for each would take long.
      if (kept.length < 2 * maxKept) return
      const old = kept.length - maxKept
      for (const { value } of kept.slice(0, old)) known.delete(value)
      kept = kept.slice(old)
      dropped += old
    },
    since: (mark) => ({ news: kept.slice(Math.max(0, mark - dropped)), mark: dropped + kept.length }),
  }
}
