import type { SqlRow } from './sqlite.ts'
import type { Store } from './store.ts'

export interface VectorModelCount {
  /** Absent for memories without a vector. */
  readonly model?: string
  readonly dimension?: number
  readonly memories: number
}

/** How many memories of a tenant have a vector of each model, most frequent first. */
export function countByVectorModel(store: Pick<Store, 'prepare'>, tenant: string): VectorModelCount[] {
  return store
    .prepare(
      `SELECT vector_model, vector_dimension, count(*) AS memories FROM memories WHERE tenant = ?
       GROUP BY vector_model, vector_dimension ORDER BY memories DESC, vector_model`,
    )
    .all(tenant)
    .map(toCount)
}

function toCount({ vector_model: model, vector_dimension: dimension, memories }: SqlRow): VectorModelCount {
  return {
    ...(model !== null && { model: String(model) }),
    ...(dimension !== null && { dimension: Number(dimension) }),
    memories: Number(memories),
  }
}
