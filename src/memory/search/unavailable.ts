/** Handles an unavailable embedder or vector store: error messages and stand-ins. Word search still works. */

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Embedder } from './embedder.ts'
import type { VectorIndex } from './vector-index.ts'

export function isUnavailable(error: unknown): error is ContextdError {
  return (
    error instanceof CodedError &&
    (error.code === 'VECTORS_UNAVAILABLE' || error.code === 'EMBEDDER_UNAVAILABLE')
  )
}

/** Other errors may quote the text they were given. */
export function problemOf(error: unknown): string {
  return isUnavailable(error) ? error.message : 'the embedder or the vector store failed'
}

/** Every use reports why. */
export function unavailableEmbedder(why: Error): Embedder {
  return { model: 'unavailable', dimension: 0, embed: () => Promise.reject(why) }
}

export function unavailableVectors(why: Error): VectorIndex {
  const fail = (): Promise<never> => Promise.reject(why)
  return { put: fail, remove: fail, nearest: fail, similarities: fail }
}
