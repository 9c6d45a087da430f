export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Medians of alternating measurements in milliseconds, and the median of the ratios of neighbours. */
export interface Comparison {
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
}

/** Neighbours see the same machine load, so their ratio is more reliable than the ratio of two medians. */
export function compare(pairs: readonly { ours: number; theirs: number }[]): Comparison {
  return {
    ours: median(pairs.map(({ ours }) => ours)),
    theirs: median(pairs.map(({ theirs }) => theirs)),
    ratio: median(pairs.map(({ ours, theirs }) => ours / theirs)),
  }
}
