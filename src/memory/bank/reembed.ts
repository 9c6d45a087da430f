import { setImmediate } from 'node:timers/promises'

import { countByVectorModel, type VectorModelCount } from '../../platform/storage/vector-models.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import type { Bank } from './bank.ts'
import { keptToday } from './memory-row.ts'
import type { Keeping } from '../memory-access.ts'

export interface ReembedParts {
  readonly store: Store
  readonly tenant: string
  readonly bank: Pick<Bank, 'pending' | 'putVectors'>
  readonly embedder: Embedder
  readonly keeping: Keeping
}

export interface ReembedOptions {
  /** Also memories that have a vector of this model. */
  readonly all?: boolean
  readonly onProgress?: (done: number, total: number) => void
  /** Stops between two steps; the next run goes on from there. */
  readonly signal?: AbortSignal
}

export interface Reembedded {
  readonly before: readonly VectorModelCount[]
  readonly after: readonly VectorModelCount[]
  /** Memories that got a new vector. */
  readonly done: number
  /** Those that still have none of this model: it was stopped, or they were changed meanwhile. */
  readonly left: number
}

/** Few enough that other writers do not wait, and that little is lost where it ends in the middle. */
const stepSize = 64

/** Gives memories the vectors of the embedder in use. They are found by words all the while. */
export async function reembed(
  { store, tenant, bank, embedder, keeping }: ReembedParts,
  { all = false, onProgress, signal }: ReembedOptions = {},
): Promise<Reembedded> {
  const { model } = embedder
  const before = countByVectorModel(store, tenant)
  // An embedder that is away must not cost the vectors that are there.
  if (all) await embedder.embed(['ready'], { as: 'document' })
  // From here on they count as missing, so that a run that is cut off is made up for by the next one.
  if (all) store.rows('memories', { tenant }).update({ vector_model: null, vector_dimension: null })
  const total = missing(countByVectorModel(store, tenant), model)
  let done = 0
  let after: number | undefined
  while (signal?.aborted !== true) {
    const step = bank.pending({ model, limit: stepSize, ...(after !== undefined && { after }) })
    if (step.length === 0) break
    const vectors = await embedder.embed(
      step.map(({ text }) => keptToday(text, keeping)),
      { as: 'document' },
    )
    const made = step.map((memory, index) => ({ ...memory, vector: vectors[index]! }))
    done += await bank.putVectors(made, model)
    after = step.at(-1)?.row
    onProgress?.(done, total)
    // Lets a signal through.
    await setImmediate()
  }
  const counts = countByVectorModel(store, tenant)
  return { before, after: counts, done, left: missing(counts, model) }
}

function missing(counts: readonly VectorModelCount[], model: string): number {
  return counts.reduce((sum, { model: made, memories }) => (made === model ? sum : sum + memories), 0)
}
