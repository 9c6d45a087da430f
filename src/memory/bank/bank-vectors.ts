/** The vectors of memories. Whatever goes wrong with them, a memory is kept and found by its words. */

import { batches } from '../../core/batches.ts'
import { abortWithin } from '../../platform/abort-within.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import { isUnavailable, problemOf } from '../search/unavailable.ts'
import type { StoredVector, VectorIndex } from '../search/vector-index.ts'
import { projectOf, type Owned } from './memory-row.ts'

export interface BankVectors {
  /** The vector of each text, or a note why there are none, also where they are not there in time. */
  embed(texts: readonly string[], withinMs?: number): Promise<Embedded>
  /** What the row of a memory says of its vector. */
  columns(vector: Float32Array | undefined, model?: string): VectorColumns
  /**
   * In the transaction that writes the rows, which have these columns. What it answers is called after that: it waits for
   * a driver that works elsewhere, and answers a note where that failed.
   */
  place(vectors: readonly StoredVector[], model?: string): Ending
  /** As `place`. */
  remove(rows: readonly number[]): Ending
}

export interface VectorColumns {
  readonly vector_model: string | null
  readonly vector_dimension: number | null
}

export type Ending = () => Promise<string | undefined>

export interface Embedded {
  /** Empty where there is no embedder, or it failed. */
  readonly vectors: readonly Float32Array[]
  readonly note?: string
}

/** None where nothing was made of it. */
export function vectorOf(row: number, owner: Owned, vector: Float32Array | undefined): StoredVector[] {
  return vector === undefined ? [] : [{ row, project: projectOf(owner), vector }]
}

export interface BankVectorParts {
  readonly store: Store
  readonly tenant: string
  readonly embedder: Embedder | undefined
  readonly index: VectorIndex | undefined
}

/** Texts given to an embedder at once. */
const textsAtOnce = 64

export function createBankVectors({ store, tenant, embedder, index }: BankVectorParts): BankVectors {
  const columns: BankVectors['columns'] = (vector, model = embedder?.model) =>
    vector === undefined || model === undefined || index === undefined
      ? noVector
      : { vector_model: model, vector_dimension: vector.length }
  const mark = (vectors: readonly StoredVector[], model: string | undefined): void => {
    const rows = store.rows('memories', { tenant })
    for (const { row, vector } of vectors)
      rows.update(model === undefined ? { ...noVector } : { ...columns(vector, model) }, { seq: row })
  }
  return {
    columns,
    async embed(texts, withinMs) {
      if (embedder === undefined || index === undefined || texts.length === 0) return { vectors: [] }
      try {
        const vectors: Float32Array[] = []
        const patience = withinMs === undefined ? {} : { signal: abortWithin(withinMs) }
        for (const some of batches(texts, textsAtOnce)) {
          vectors.push(...(await embedder.embed(some, { as: 'document', ...patience })))
        }
        return { vectors }
      } catch (error) {
        return { vectors: [], note: `kept without a vector: ${problemOf(error)}` }
      }
    },
    place(vectors, model = embedder?.model) {
      if (model === undefined || index === undefined || vectors.length === 0) return done
      return afterwards(() => index.put(vectors, model), {
        problem: 'kept without a vector',
        // Until it is certain that the vectors are there, the rows do not say so.
        later: () => mark(vectors, undefined),
        finish: () => mark(vectors, model),
      })
    },
    remove(rows) {
      if (index === undefined || rows.length === 0) return done
      return afterwards(() => index.remove(rows), { problem: 'its vector may still be there' })
    },
  }
}

interface Aftermath {
  /** What went wrong, if something does. */
  readonly problem: string
  /** Where the work is not done at once, or not at all. */
  readonly later?: () => void
  /** Where it is done in the end. */
  readonly finish?: () => void
}

function afterwards(work: () => void | Promise<void>, { problem, later, finish }: Aftermath): Ending {
  const noted = (error: unknown): string => `${problem}: ${problemOf(error)}`
  let started: void | Promise<void>
  try {
    started = work()
  } catch (error) {
    // Anything else is trouble with the store itself: nothing of the transaction may stay.
    if (!isUnavailable(error)) throw error
    later?.()
    return async () => noted(error)
  }
  if (!(started instanceof Promise)) return done
  const ended = started.then(() => undefined, noted)
  later?.()
  return async () => {
    const note = await ended
    if (note === undefined) finish?.()
    return note
  }
}

const noVector: VectorColumns = { vector_model: null, vector_dimension: null }
const done = async (): Promise<undefined> => undefined
