import { setImmediate } from 'node:timers/promises'

import { countByVectorModel, type VectorModelCount } from '../../platform/storage/vector-models.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import type { Bank } from './bank.ts'
import { rearchived } from './memory-row.ts'
import type { Archiver } from '../memory-access.ts'

export interface ReembedParts {
  readonly store: Store
  readonly tenant: string
  readonly bank: Pick<Bank, 'pending' | 'putVectors'>
  readonly embedder: Embedder
  readonly archiver: Archiver
}

export interface ReembedOptions {
  /** Also memories that already have a vector of this model. */
  readonly all?: boolean
  readonly onProgress?: (done: number, total: number) => void
  /** Stops between two batches; the next run continues from there. */
  readonly signal?: AbortSignal
}

export interface Reembedded {
  readonly before: readonly VectorModelCount[]
  readonly after: readonly VectorModelCount[]
  /** Memories that received a new vector. */
  readonly done: number
  /** Memories that still have no vector of this model: the run was stopped, or they changed in the meantime. */
  readonly left: number
}

/** Small enough not to block other writers, and to lose little if interrupted. */
const batchSize = 64

/** Computes vectors with the current embedder. Word search works all the time. */
export async function reembed(
  { store, tenant, bank, embedder, archiver }: ReembedParts,
  { all = false, onProgress, signal }: ReembedOptions = {},
): Promise<Reembedded> {
  const { model } = embedder
  const before = countByVectorModel(store, tenant)
  // Existing vectors must not be dropped while the embedder is unavailable.
  if (all) await embedder.embed(['ready'], { as: 'document' })
  // From here on they are marked as missing, so that the next run continues an interrupted one.
  if (all) store.rows('memories', { tenant }).update({ vector_model: null, vector_dimension: null })
  const total = missing(countByVectorModel(store, tenant), model)
  let done = 0
  let after: number | undefined
  while (signal?.aborted !== true) {
    const batch = bank.pending({ model, limit: batchSize, ...(after !== undefined && { after }) })
    if (batch.length === 0) break
    const vectors = await embedder.embed(
      batch.map(({ text }) => rearchived(text, archiver)),
      { as: 'document' },
    )
    const newVectors = batch.map((memory, index) => ({ ...memory, vector: vectors[index]! }))
    done += await bank.putVectors(newVectors, model)
    after = batch.at(-1)?.row
    onProgress?.(done, total)
    // Lets signals be handled.
    await setImmediate()
  }
  const counts = countByVectorModel(store, tenant)
  return { before, after: counts, done, left: missing(counts, model) }
}

function missing(counts: readonly VectorModelCount[], model: string): number {
  return counts.reduce(
    (sum, { model: newVectors, memories }) => (newVectors === model ? sum : sum + memories),
    0,
  )
}
