import type { Store } from '../../platform/storage/store.ts'
import {
  changedVectors,
  putVectors,
  readVectors,
  removedVectors,
  removeVectors,
  vectorSet,
} from '../../platform/storage/vector-rows.ts'
import { dimensionOf, packVector } from './packed-vector.ts'
import type { VectorIndex, VectorKind } from './vector-index.ts'
import { createVectorTable, type VectorTable } from './vector-table.ts'

export interface SqliteVectorParts {
  readonly store: Pick<Store, 'prepare' | 'atomically'>
  readonly tenant: string
  readonly kind: VectorKind
}

/** `put` and `remove` complete synchronously, inside the caller's transaction. */
export interface SqliteVectors extends VectorIndex {
  put(...parameters: Parameters<VectorIndex['put']>): void
  remove(...parameters: Parameters<VectorIndex['remove']>): void
}

/**
 * Vectors in SQLite, compared exhaustively. Those of the requested model are loaded into memory on the first search
 * (about 300 bytes each at 256 dimensions) and then kept current, regardless of who writes.
 */
export function createSqliteVectors({ store, tenant, kind }: SqliteVectorParts): SqliteVectors {
  const set = { tenant, kind }
  let loaded: { readonly model: string; readonly table: VectorTable; change: number } | undefined

  const load = (model: string, dimension: number, change: number): VectorTable => {
    const table = createVectorTable(dimension)
    for (const { row, project, vector } of readVectors(store, set, model)) {
      if (dimensionOf(vector.byteLength) === dimension) table.set(row, project, vector)
    }
    loaded = { model, table, change }
    return table
  }

  const catchUp = (known: NonNullable<typeof loaded>, change: number): VectorTable => {
    const { table } = known
    // In this order, because a vector that was removed and written again exists.
    for (const row of removedVectors(store, set, known.change)) table.drop(row)
    for (const { row, project, model, vector } of changedVectors(store, set, known.change)) {
      if (model === known.model && dimensionOf(vector.byteLength) === table.dimension)
        table.set(row, project, vector)
      else table.drop(row)
    }
    known.change = change
    return table
  }

  const current = async (model: string, dimension: number): Promise<VectorTable> => {
    // Never inside a transaction of the caller, which may still be rolled back.
    await Promise.resolve()
    const { changed = 0, removed = 0 } = vectorSet(store, set) ?? {}
    if (loaded?.model !== model || loaded.table.dimension !== dimension)
      return load(model, dimension, changed)
    if (loaded.change < removed || loaded.change > changed) return load(model, dimension, changed)
    return loaded.change === changed ? loaded.table : catchUp(loaded, changed)
  }

  return {
    put: (vectors, model) =>
      putVectors(
        store,
        set,
        model,
        vectors.map(({ row, project, vector }) => ({ row, project, vector: packVector(vector) })),
      ),
    remove: (rows) => removeVectors(store, set, rows),
    nearest: async (query, { model, limit, projects }) =>
      (await current(model, query.length)).nearest(query, limit, projects),
    similarities: async (query, model, rows) =>
      (await current(model, query.length)).similarities(query, rows),
  }
}
