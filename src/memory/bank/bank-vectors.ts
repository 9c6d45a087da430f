/** The vectors of memories. Whatever goes wrong with them, a memory is kept and found by its words. */

import { ContextdError } from '../../core/errors.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import type { StoredVector, VectorIndex } from '../search/vector-index.ts'

export interface BankVectors {
  /** The vector of each text, or a note why there are none. */
  embed(texts: readonly string[]): Promise<Embedded>
  /**
   * In the transaction that writes the rows. What it answers is called after that: it waits for a driver that works
   * elsewhere, and answers a note where that failed.
   */
  place(vectors: readonly StoredVector[], model?: string): Ending
  /** As `place`. */
  remove(rows: readonly number[]): Ending
}

export type Ending = () => Promise<string | undefined>

export interface Embedded {
  /** Empty where there is no embedder, or it failed. */
  readonly vectors: readonly Float32Array[]
  readonly note?: string
}

export interface BankVectorParts {
  readonly store: Store
  readonly tenant: string
  readonly embedder: Embedder | undefined
  readonly index: VectorIndex | undefined
}

/** Texts given to an embedder at once. */
const batch = 64

export function createBankVectors({ store, tenant, embedder, index }: BankVectorParts): BankVectors {
  const mark = (vectors: readonly StoredVector[], model: string): void => {
    const rows = store.rows('memories', { tenant })
    for (const { row, vector } of vectors)
      rows.update({ vector_model: model, vector_dimension: vector.length }, { seq: row })
  }
  return {
    async embed(texts) {
      if (embedder === undefined || index === undefined || texts.length === 0) return { vectors: [] }
      try {
        const vectors: Float32Array[] = []
        for (let at = 0; at < texts.length; at += batch)
          vectors.push(...(await embedder.embed(texts.slice(at, at + batch), { as: 'document' })))
        return { vectors }
      } catch (error) {
        return { vectors: [], note: `kept without a vector: ${problemOf(error)}` }
      }
    },
    place(vectors, model = embedder?.model) {
      if (model === undefined || index === undefined || vectors.length === 0) return done
      return afterwards(
        () => index.put(vectors, model),
        () => mark(vectors, model),
        'kept without a vector',
      )
    },
    remove(rows) {
      if (index === undefined || rows.length === 0) return done
      return afterwards(() => index.remove(rows), nothing, 'its vector may still be there')
    },
  }
}

/** `finish` follows at once where the driver is done at once, so that both are part of one transaction. */
function afterwards(work: () => void | Promise<void>, finish: () => void, trouble: string): Ending {
  const noted = (error: unknown): string => `${trouble}: ${problemOf(error)}`
  let started: void | Promise<void>
  try {
    started = work()
  } catch (error) {
    // Anything else is trouble with the store itself: nothing of the transaction may stay.
    if (!isUnavailable(error)) throw error
    return async () => noted(error)
  }
  if (!(started instanceof Promise)) {
    finish()
    return done
  }
  const ended = started.then(() => undefined, noted)
  return async () => {
    const note = await ended
    if (note === undefined) finish()
    return note
  }
}

const done = async (): Promise<undefined> => undefined
const nothing = (): void => {}

function isUnavailable(error: unknown): error is ContextdError {
  return (
    error instanceof ContextdError &&
    (error.code === 'VECTORS_UNAVAILABLE' || error.code === 'EMBEDDER_UNAVAILABLE')
  )
}

/** An error of somebody else's may quote what it was given. */
function problemOf(error: unknown): string {
  return isUnavailable(error) ? error.message : 'the embedder or the vector store failed'
}
