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
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3))
    // Skips what cannot be near, so that a huge word costs nothing.
    if (Math.abs(wanted.length - candidate.length) > limit) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance <= limit && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
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
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}
