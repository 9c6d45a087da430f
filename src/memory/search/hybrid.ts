import { CodedError } from '../../core/errors/errors.ts'
import type { Embedder } from './embedder.ts'
import { fuse, type RankCandidate, type Ranked } from './fuse.ts'
import type { VectorIndex } from './vector-index.ts'
import { matchExpression } from './words.ts'

/** Search by words and by meaning at once, of memories and of the parts of a repository. */
export interface HybridSearch {
  find(query: HybridQuery): Promise<HybridResult>
}

export interface HybridParts {
  /** The rows that share words with an expression of `matchExpression`, the best first. */
  readonly lexical: (
    expression: string,
    options: { readonly projects?: readonly string[]; readonly limit: number },
  ) => LexicalMatches
  /** Without both of them words alone decide. */
  readonly embedder?: Embedder
  readonly vectors?: VectorIndex
}

export interface LexicalMatches {
  /** Fewer than the limit where there are no more. */
  readonly hits: readonly { readonly row: number; readonly score: number }[]
  /** The score of a text that has each word of the query once, or of the best. */
  readonly attainable: number
}

export interface HybridQuery {
  readonly text: string
  /** Only of these projects, empty for what belongs to all of them; every one where absent. */
  readonly projects?: readonly string[]
  readonly limit: number
  /**
   * Of the rows found, those that count, each with its confidence (0 to 1, 0.5 where nothing is known).
   * What is missing from the answer is left out: merged, of another outcome, not for this caller.
   */
  readonly judge?: (rows: readonly number[]) => ReadonlyMap<number, number>
  readonly signal?: AbortSignal
}

export interface HybridResult {
  /** The best first, at most `limit`. */
  readonly rows: readonly Ranked[]
  /** How many rows were compared by both: the best by words and the closest, not all there are. */
  readonly considered: number
  /** How many of them `judge` left out. */
  readonly leftOut: number
  /** How many of them are beyond the limit. */
  readonly more: number
  /** How many of them have no vector of the model in use, though there is one. */
  readonly lacking: number
  /** Why only words were compared, where an embedder or a vector store failed. */
  readonly note?: string
}

/** How many rows of either list are looked at, at least: what is high in one must meet what is high in the other. */
const depth = 32
/** How often a filter that took nearly everything is answered with a longer list. */
const widenings = 3

export function createHybridSearch(parts: HybridParts): HybridSearch {
  return {
    async find(query) {
      const meaning = await meaningOf(parts, query)
      for (let round = 0; ; round++) {
        const limit = Math.max(depth, query.limit * 2) * 8 ** round
        const gathered = await gather(parts, query, meaning, limit)
        const found = rank(gathered, query)
        if (found.rows.length === query.limit || gathered.isComplete || round === widenings) return found
      }
    },
  }
}

/** The query as a vector, or why there is none. */
interface Meaning {
  readonly vector?: Float32Array
  readonly note?: string
}

interface Gathered {
  readonly candidates: readonly RankCandidate[]
  /** A longer list would hold nothing more. */
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
  const areAllHits = hits.length < limit
  const { embedder, vectors } = parts
  if (meaning.vector === undefined || embedder === undefined || vectors === undefined) {
    return { candidates: byWords, isComplete: areAllHits, ...noted(meaning.note) }
  }
  try {
    const { model } = embedder
    const nearest = await vectors.nearest(meaning.vector, { model, ...projects, limit })
    const close = new Map(nearest.map(({ row, similarity }) => [row, similarity]))
    const others = hits.map(({ row }) => row).filter((row) => !close.has(row))
    const further = await vectors.similarities(meaning.vector, model, others)
    const candidates = byWords.map((candidate): RankCandidate => {
      const { row } = candidate
      const similarity = close.get(row) ?? further.get(row)
      close.delete(row)
      return similarity === undefined ? candidate : { ...candidate, similarity }
    })
    return {
      candidates: [...candidates, ...Array.from(close, ([row, similarity]) => ({ row, similarity }))],
      isComplete: areAllHits && nearest.length < limit,
      lacking: candidates.filter(({ similarity }) => similarity === undefined).length,
    }
  } catch (error) {
    return { candidates: byWords, isComplete: areAllHits, note: failure(error, query.signal) }
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
    ...noted(note),
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

const noted = (note: string | undefined): { note?: string } => (note === undefined ? {} : { note })

/** Search goes on by words; only who has given up asking gets no answer. */
function failure(error: unknown, signal: AbortSignal | undefined): string {
  signal?.throwIfAborted()
  return error instanceof CodedError ? error.message : 'Texts could not be compared by meaning'
}
