/** Longer words get no suggestion, because comparing takes time proportional to the product of both lengths. */
const maxWordLength = 128

/** The candidate most similar to a mistyped word; undefined if none is close enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > maxWordLength) return undefined
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    // Up to a third of the letters may differ; beyond that it is another word, not a typo.
    const maxDistance = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3))
    const limit = Math.min(maxDistance, bestDistance - 1)
    // Skips candidates of very different length without comparing them.
    if (Math.abs(wanted.length - candidate.length) > limit) continue
    const distance = editDistance(wanted, candidate.toLowerCase(), limit)
    if (distance <= limit) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Takes less than a second. That many unknown words are not typos. */
const maxComparisons = 200_000

/** Looks up many words among the same candidates, with a shared limit on comparisons. */
export function nearestAmong(candidates: readonly string[]): (word: string) => string | undefined {
  const cache = new Map<string, string | undefined>()
  let left = Math.floor(maxComparisons / Math.max(1, candidates.length))
  return (word) => {
    if (!cache.has(word) && left-- > 0) cache.set(word, nearest(word, candidates))
    return cache.get(word)
  }
}

/** Whether the words differ by a single typo. False for short words, which are often similar by chance. */
export function isOneTypoAway(word: string, other: string): boolean {
  if (Math.min(word.length, other.length) < 5 || Math.abs(word.length - other.length) > 1) return false
  return word.length <= maxWordLength && editDistance(word, other, 1) === 1
}

/**
 * Edit distance with insertions, deletions, replacements and swaps of adjacent letters; Infinity as soon as it must
 * exceed `limit`.
 */
function editDistance(from: string, to: string, limit: number): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    // No operation refers to more than two rows back.
    if (Math.min(...current) > limit && Math.min(...previous) > limit) return Infinity
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}
