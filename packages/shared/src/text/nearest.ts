/** Nobody mistypes more than this, and comparing takes the product of both lengths. */
const longest = 128

/** The candidate a mistyped word most likely meant; undefined where nothing is close enough to suggest. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longest) return undefined
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    // A third of the letters may be wrong: more than that is another word, not a slip of the finger.
    const tolerated = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3))
    const limit = Math.min(tolerated, bestDistance - 1)
    // Skips what cannot be near, so that a huge word costs nothing.
    if (Math.abs(wanted.length - candidate.length) > limit) continue
    const distance = editDistance(wanted, candidate.toLowerCase(), limit)
    if (distance <= limit) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Comparing so many takes less than a second; where more would be needed, no slip of the finger is the reason. */
const maxComparisons = 200_000

/** For many words that are all looked for among the same candidates: those that come late in a flood get no suggestion. */
export function nearestAmong(candidates: readonly string[]): (word: string) => string | undefined {
  const found = new Map<string, string | undefined>()
  let left = Math.floor(maxComparisons / Math.max(1, candidates.length))
  return (word) => {
    if (!found.has(word) && left-- > 0) found.set(word, nearest(word, candidates))
    return found.get(word)
  }
}

/** Whether one slip of the finger made one word of the other. In short words that is chance. */
export function isOneSlipOff(word: string, other: string): boolean {
  if (Math.min(word.length, other.length) < 5 || Math.abs(word.length - other.length) > 1) return false
  return word.length <= longest && editDistance(word, other, 1) === 1
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one word into the other; Infinity where it is
 * clear before the end that it takes more than `limit`.
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
    // A swap goes back two rows, and nothing goes back further.
    if (Math.min(...current) > limit && Math.min(...previous) > limit) return Infinity
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}
