/** Combines two rankings: by shared words and by similarity of meaning. */

export interface RankCandidate {
  readonly row: number
  /** How much of the query its words cover: 0 for nothing, about 1 for all of it. */
  readonly lexical?: number
  /** Cosine similarity; absent if there is no vector. */
  readonly similarity?: number
  /** How far it has proven right, 0 to 1: adjusts its rank slightly, but never excludes it. */
  readonly confidence?: number
}

export interface Ranked extends RankCandidate {
  /** Between 0 and 1 (exclusive), comparable within one result. */
  readonly score: number
}

export interface FusionWeights {
  /**
   * Exponent of the lexical share: a few words in common with a long question may be chance, and should weigh little.
   */
  readonly power: number
  /** Weight of one standard deviation of similarity. */
  readonly similarity: number
  /** Weight of the difference between entries that always misled and ones that always helped. */
  readonly confidence: number
}

/** Tuned on one half of the questions in `benchmarks/retrieval`; results are published for the other half. */
export const fusionWeights: FusionWeights = { power: 2, similarity: 0.25, confidence: 0.1 }

/** Smaller differences in similarity are not meaningful. */
const minDeviation = 0.02
/** High similarity is rare and significant; low similarity is common, so it is capped. */
const minStandardScore = -1

/**
 * Best first, up to `limit`. Ranks alone would let the best of two poor lists win, so words are rated by how much of
 * the query they cover, and meaning by how far a row exceeds the other candidates, because cosines of different
 * models are not comparable.
 */
export function fuse(
  candidates: readonly RankCandidate[],
  limit: number,
  weights: FusionWeights = fusionWeights,
): Ranked[] {
  const semantic = standardScores(candidates)
  const rawScores = candidates.map(
    ({ lexical = 0, confidence = 0.5 }, i) =>
      lexical ** weights.power + weights.similarity * semantic[i]! + weights.confidence * (confidence - 0.5),
  )
  const order = Array.from(candidates.keys()).sort(
    (a, b) => rawScores[b]! - rawScores[a]! || candidates[a]!.row - candidates[b]!.row,
  )
  return order.slice(0, limit).map((i) => Object.assign({ score: scoreOf(rawScores[i]!) }, candidates[i]!))
}

/** 0.5 for a row that contains all words, or exceeds the mean similarity by four deviations. */
function scoreOf(rawScore: number): number {
  return 1 / (1 + Math.exp(2 - 2 * rawScore))
}

/** Standard deviations above the mean. Rows without a vector count as average. */
function standardScores(candidates: readonly RankCandidate[]): number[] {
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
  return candidates.map(({ similarity = mean }) =>
    Math.max(minStandardScore, (similarity - mean) / deviation),
  )
}
