/** Vectors of memories. If anything fails, the memory is still stored and found by its words. */

import { batches } from '../../core/batches.ts'
import { abortWithin } from '../../platform/abort-within.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import { isUnavailable, problemOf } from '../search/unavailable.ts'
import type { StoredVector, VectorIndex } from '../search/vector-index.ts'
import { projectOf, type Owned } from './memory-row.ts'

export interface BankVectors {
  /** The vector of each text, or a note why they are missing, including a timeout. */
  embed(texts: readonly string[], withinMs?: number): Promise<Embedded>
  /** The vector columns of a memory's row. */
  columns(vector: Float32Array | undefined, model?: string): VectorColumns
  /**
   * Runs in the transaction that writes the rows with these columns. The returned function must be called after it:
   * it waits for an external driver, and returns a note if that failed.
   */
  place(vectors: readonly StoredVector[], model?: string): Finish
  /** Like `place`. */
  remove(rows: readonly number[]): Finish
}

export interface VectorColumns {
  readonly vector_model: string | null
  readonly vector_dimension: number | null
}

export type Finish = () => Promise<string | undefined>

export interface Embedded {
  /** Empty if there is no embedder, or it failed. */
  readonly vectors: readonly Float32Array[]
  readonly note?: string
}

/** Empty if no vector was computed. */
export function vectorOf(row: number, owner: Owned, vector: Float32Array | undefined): StoredVector[] {
  return vector === undefined ? [] : [{ row, project: projectOf(owner), vector }]
}

export interface BankVectorParts {
  readonly store: Store
  readonly tenant: string
  readonly embedder: Embedder | undefined
  readonly index: VectorIndex | undefined
}

/** Texts per call of the embedder. */
const batchSize = 64

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
        const timeout = withinMs === undefined ? {} : { signal: abortWithin(withinMs) }
        for (const some of batches(texts, batchSize)) {
          vectors.push(...(await embedder.embed(some, { as: 'document', ...timeout })))
        }
        return { vectors }
      } catch (error) {
        return { vectors: [], note: `stored without a vector: ${problemOf(error)}` }
      }
    },
    place(vectors, model = embedder?.model) {
      if (model === undefined || index === undefined || vectors.length === 0) return nothingToDo
      return startWork(() => index.put(vectors, model), {
        problem: 'stored without a vector',
        // Until the vectors are certainly stored, the rows do not claim to have them.
        onDeferred: () => mark(vectors, undefined),
        finish: () => mark(vectors, model),
      })
    },
    remove(rows) {
      if (index === undefined || rows.length === 0) return nothingToDo
      return startWork(() => index.remove(rows), { problem: 'its vector may still exist' })
    },
  }
}

interface DeferredWork {
  /** Note for the user if it fails. */
  readonly problem: string
  /** Called if the work is not done synchronously, or fails. */
  readonly onDeferred?: () => void
  /** Called when deferred work has succeeded. */
  readonly finish?: () => void
}

function startWork(work: () => void | Promise<void>, { problem, onDeferred, finish }: DeferredWork): Finish {
  const noteFor = (error: unknown): string => `${problem}: ${problemOf(error)}`
  let started: void | Promise<void>
  try {
    started = work()
  } catch (error) {
    // Any other error is a problem with the store itself: the whole transaction must be rolled back.
    if (!isUnavailable(error)) throw error
    onDeferred?.()
    return async () => noteFor(error)
  }
  if (!(started instanceof Promise)) return nothingToDo
  const ended = started.then(() => undefined, noteFor)
  onDeferred?.()
  return async () => {
    const note = await ended
    if (note === undefined) finish?.()
    return note
  }
}

const noVector: VectorColumns = { vector_model: null, vector_dimension: null }
const nothingToDo = async (): Promise<undefined> => undefined
