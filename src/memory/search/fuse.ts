/** One ranking of two: by shared words, and by closeness in meaning. */

export interface RankCandidate {
  readonly row: number
  /** How much of the query it says in the same words: 0 for nothing, about 1 for all of it. */
  readonly lexical?: number
  /** Cosine; absent where there is no vector to compare. */
  readonly similarity?: number
  /** How far it has proven right, 0 to 1: moves it a little, and never out. */
  readonly confidence?: number
}

export interface Ranked extends RankCandidate {
  /** Above 0 and below 1, to be compared within one answer. */
  readonly score: number
}

export interface FusionWeights {
  /** Power of the lexical share: a few words in common with a long question may be chance, and count for little. */
  readonly power: number
  /** Of one standard deviation of similarity. */
  readonly similarity: number
  /** Between what always misled and what always helped. */
  readonly confidence: number
}

/** Chosen on one half of the questions of `benchmarks/retrieval`, published for the other. */
export const fusionWeights: FusionWeights = { power: 2, similarity: 0.25, confidence: 0.1 }

/** Similarities that differ less tell nobody apart. */
const minDeviation = 0.02
/** To be close is rare and says much; to be far off is common, and says less the further it is. */
const lowest = -1

/**
 * The best first, at most so many. Ranks alone would let the best of two poor lists win. So words count by how much of the
 * query they cover, and meaning by how far a row stands out among the candidates: the cosines of different models are
 * not alike.
 */
export function fuse(
  candidates: readonly RankCandidate[],
  limit: number,
  weights: FusionWeights = fusionWeights,
): Ranked[] {
  const byMeaning = standing(candidates)
  const heights = candidates.map(
    ({ lexical = 0, confidence = 0.5 }, i) =>
      lexical ** weights.power + weights.similarity * byMeaning[i]! + weights.confidence * (confidence - 0.5),
  )
  const order = Array.from(candidates.keys()).sort(
    (a, b) => heights[b]! - heights[a]! || candidates[a]!.row - candidates[b]!.row,
  )
  return order.slice(0, limit).map((i) => Object.assign({ score: scoreOf(heights[i]!) }, candidates[i]!))
}

/** Half for what has all of the words, or stands out by four deviations in meaning. */
function scoreOf(height: number): number {
  return 1 / (1 + Math.exp(2 - 2 * height))
}

/** Standard deviations above the mean. What has no vector stands in the middle: nothing is known against it. */
function standing(candidates: readonly RankCandidate[]): number[] {
  let count = 0
  let sum = 0
  let squares = 0
  for (const { similarity } of candidates) {
    if (similarity === undefined) continue
    count++
    sum += similarity
    squares += similarity * similarity
  }
  const mean = sum / Math.max(count, 1)
  const variance = squares / Math.max(count, 1) - mean * mean
  const deviation = Math.max(minDeviation, Math.sqrt(Math.max(variance, 0)))
  return candidates.map(({ similarity = mean }) => Math.max(lowest, (similarity - mean) / deviation))
}
