/** What stands in for an embedder or a vector store that could not be opened: every use says why, and words go on. */

import type { Embedder } from './embedder.ts'
import type { VectorIndex } from './vector-index.ts'

export function unavailableEmbedder(why: Error): Embedder {
  return { model: 'unavailable', dimension: 0, embed: () => Promise.reject(why) }
}

export function unavailableVectors(why: Error): VectorIndex {
  const fail = (): Promise<never> => Promise.reject(why)
  return { put: fail, remove: fail, nearest: fail, similarities: fail }
}
