import { CodedError } from '../../core/errors/errors.ts'
import type { Embedder } from './embedder.ts'
import { fuse, type RankCandidate, type Ranked } from './fuse.ts'
import type { VectorIndex } from './vector-index.ts'
import { matchExpression } from './words.ts'

/** Combined search by words and by meaning, for memories and repository chunks. */
export interface HybridSearch {
  find(query: HybridQuery): Promise<HybridResult>
}

export interface HybridParts {
  /** The rows that share words with an expression of `matchExpression`, best first. */
  readonly lexical: (
    expression: string,
    options: { readonly projects?: readonly string[]; readonly limit: number },
  ) => LexicalMatches
  /** Unless both are given, only words are compared. */
  readonly embedder?: Embedder
  readonly vectors?: VectorIndex
}

export interface LexicalMatches {
  /** Fewer than the limit only if there are no more. */
  readonly hits: readonly { readonly row: number; readonly score: number }[]
  /** The score of a text that contains each word of the query once, or of the best match. */
  readonly attainable: number
}

export interface HybridQuery {
  readonly text: string
  /** Only these projects, where the empty name means user-wide rows; all if absent. */
  readonly projects?: readonly string[]
  readonly limit: number
  /**
   * Of the rows found, the ones to include, each with its confidence (0 to 1, 0.5 if unknown). Rows missing from the
   * result are excluded: merged, with another outcome, not for this caller.
   */
  readonly judge?: (rows: readonly number[]) => ReadonlyMap<number, number>
  readonly signal?: AbortSignal
}

export interface HybridResult {
  /** Best first, up to `limit`. */
  readonly rows: readonly Ranked[]
  /** How many rows were compared by both: the best by words and the closest, not all rows. */
  readonly considered: number
  /** How many of them `judge` excluded. */
  readonly leftOut: number
  /** How many more matched beyond the limit. */
  readonly more: number
  /** How many of them have no vector of the current model. */
  readonly lacking: number
  /** Why only words were compared, if an embedder or vector store failed. */
  readonly note?: string
}

/** Minimum number of candidates from each list, so that a row high in one list is likely to be in the other. */
const minCandidates = 32
/** How often the search is widened if a filter excluded nearly everything. */
const maxWidenings = 3

export function createHybridSearch(parts: HybridParts): HybridSearch {
  return {
    async find(query) {
      const meaning = await meaningOf(parts, query)
      for (let round = 0; ; round++) {
        const limit = Math.max(minCandidates, query.limit * 2) * 8 ** round
        const gathered = await gather(parts, query, meaning, limit)
        const found = rank(gathered, query)
        if (found.rows.length === query.limit || gathered.isComplete || round === maxWidenings) return found
      }
    },
  }
}

/** The query as a vector, or why it is missing. */
interface Meaning {
  readonly vector?: Float32Array
  readonly note?: string
}

interface Gathered {
  readonly candidates: readonly RankCandidate[]
  /** A higher limit would find nothing more. */
  readonly isComplete: boolean
  readonly lacking?: number
  readonly note?: string
}

async function meaningOf(
  { embedder, vectors }: HybridParts,
  { text, signal }: HybridQuery,
): Promise<Meaning> {
  if (embedder === undefined || vectors === undefined) return {}
  try {
    const [vector] = await embedder.embed([text], {
      as: 'query',
      ...(signal === undefined ? {} : { signal }),
    })
    return vector === undefined ? {} : { vector }
  } catch (error) {
    return { note: failure(error, signal) }
  }
}

async function gather(
  parts: HybridParts,
  query: HybridQuery,
  meaning: Meaning,
  limit: number,
): Promise<Gathered> {
  const projects = query.projects === undefined ? {} : { projects: query.projects }
  const expression = matchExpression(query.text)
  const { hits, attainable }: LexicalMatches =
    expression === undefined ? { hits: [], attainable: 1 } : parts.lexical(expression, { ...projects, limit })
  const share = (score: number): number => Math.max(0, score) / attainable
  const byWords = hits.map(({ row, score }) => ({ row, lexical: share(score) }))
  const hasAllHits = hits.length < limit
  const { embedder, vectors } = parts
  if (meaning.vector === undefined || embedder === undefined || vectors === undefined) {
    return { candidates: byWords, isComplete: hasAllHits, ...withNote(meaning.note) }
  }
  try {
    const { model } = embedder
    const nearest = await vectors.nearest(meaning.vector, { model, ...projects, limit })
    const similarities = new Map(nearest.map(({ row, similarity }) => [row, similarity]))
    const others = hits.map(({ row }) => row).filter((row) => !similarities.has(row))
    const otherSimilarities = await vectors.similarities(meaning.vector, model, others)
    const candidates = byWords.map((candidate): RankCandidate => {
      const { row } = candidate
      const similarity = similarities.get(row) ?? otherSimilarities.get(row)
      similarities.delete(row)
      return similarity === undefined ? candidate : { ...candidate, similarity }
    })
    return {
      candidates: [...candidates, ...Array.from(similarities, ([row, similarity]) => ({ row, similarity }))],
      isComplete: hasAllHits && nearest.length < limit,
      lacking: candidates.filter(({ similarity }) => similarity === undefined).length,
    }
  } catch (error) {
    return { candidates: byWords, isComplete: hasAllHits, note: failure(error, query.signal) }
  }
}

function rank({ candidates, lacking = 0, note }: Gathered, { judge, limit }: HybridQuery): HybridResult {
  const kept = judge === undefined ? candidates : judged(candidates, judge)
  return {
    rows: fuse(kept, limit),
    considered: candidates.length,
    leftOut: candidates.length - kept.length,
    more: Math.max(0, kept.length - limit),
    lacking,
    ...withNote(note),
  }
}

function judged(
  candidates: readonly RankCandidate[],
  judge: NonNullable<HybridQuery['judge']>,
): RankCandidate[] {
  const confidences = judge(candidates.map(({ row }) => row))
  return candidates.flatMap((candidate) => {
    const confidence = confidences.get(candidate.row)
    return confidence === undefined ? [] : { ...candidate, confidence }
  })
}

const withNote = (note: string | undefined): { note?: string } => (note === undefined ? {} : { note })

/** Search falls back to words, unless the caller aborted it. */
function failure(error: unknown, signal: AbortSignal | undefined): string {
  signal?.throwIfAborted()
  return error instanceof CodedError ? error.message : 'Texts could not be compared by meaning'
}
