/**
 * Vectors and their changes. Every change has a number, so that processes with vectors in memory only read what is
 * new. For the same reason, removals stay listed for a while, as rows of another kind.
 */

import type { Store } from './store.ts'

/** All vectors of one kind of a tenant. */
export interface VectorSet {
  readonly tenant: string
  readonly kind: string
}

export interface VectorSetState {
  /** Random; distinguishes the set from those of other stores that share a vector database. */
  readonly id: string
  /** The number of the last change. */
  readonly changed: number
  /** Removals up to this number are no longer listed. */
  readonly removed: number
}

export interface VectorRow {
  readonly row: number
  readonly project: string
  readonly vector: Uint8Array
}

/** How many changes a removal stays listed; readers that are further behind reload everything. */
const maxListedChanges = 4096

export function vectorSet(
  store: Pick<Store, 'prepare'>,
  { tenant, kind }: VectorSet,
): VectorSetState | undefined {
  const row = store
    .prepare('SELECT id, changed, removed FROM vector_sets WHERE tenant = ? AND kind = ?')
    .get(tenant, kind)
  if (row === undefined) return undefined
  return { id: String(row.id), changed: Number(row.changed), removed: Number(row.removed) }
}

/** The set's id, created if missing. */
export function vectorSetId(store: Pick<Store, 'prepare'>, set: VectorSet): string {
  store
    .prepare(
      `INSERT INTO vector_sets (tenant, project, session, agent, kind, id, changed, removed)
       VALUES (?, '', '', '', ?, lower(hex(randomblob(8))), 0, 0) ON CONFLICT (tenant, kind) DO NOTHING`,
    )
    .run(set.tenant, set.kind)
  return vectorSet(store, set)!.id
}

/** Inserts or replaces vectors by row. */
export function putVectors(
  store: Pick<Store, 'prepare' | 'atomically'>,
  set: VectorSet,
  model: string,
  vectors: readonly VectorRow[],
): void {
  if (vectors.length === 0) return
  // A reader that sees the change number must find the complete change.
  store.atomically(() => {
    const change = nextChange(store, set)
    const put = putStatement(store)
    for (const { row, project, vector } of vectors) {
      put.run(set.tenant, project, set.kind, row, model, vector, change)
    }
  })
}

export function removeVectors(
  store: Pick<Store, 'prepare' | 'atomically'>,
  set: VectorSet,
  rows: readonly number[],
): void {
  if (rows.length === 0) return
  const { tenant, kind } = set
  const removed = removedKind(kind)
  store.atomically(() => {
    const change = nextChange(store, set)
    const remove = store.prepare('DELETE FROM vectors WHERE tenant = ? AND kind = ? AND row = ?')
    const put = putStatement(store)
    for (const row of rows) {
      if (Number(remove.run(tenant, kind, row).changes) > 0) {
        put.run(tenant, '', removed, row, '', new Uint8Array(0), change)
      }
    }
    const forget = store.prepare('DELETE FROM vectors WHERE tenant = ? AND kind = ? AND changed <= ?')
    if (Number(forget.run(tenant, removed, change - maxListedChanges).changes) > 0) {
      store
        .prepare('UPDATE vector_sets SET removed = ? WHERE tenant = ? AND kind = ?')
        .run(change - maxListedChanges, tenant, kind)
    }
  })
}

/** All vectors of one model, by row. Read in pages, because reading row by row takes twice as long. */
export function* readVectors(
  store: Pick<Store, 'prepare'>,
  { tenant, kind }: VectorSet,
  model: string,
): Generator<VectorRow> {
  // In file order: the plus sign keeps SQLite from using the index of changes.
  const page = store.prepare(
    `SELECT row, project, vector FROM vectors WHERE kind = ? AND row > ? AND +tenant = ? AND model = ?
     ORDER BY row LIMIT 1000`,
  )
  for (let last: number | undefined = -1; last !== undefined;) {
    const rows = page.all(kind, last, tenant, model) as unknown as VectorRow[]
    yield* rows
    last = rows.at(-1)?.row
  }
}

/** Vectors written after a change, of every model. */
export function changedVectors(
  store: Pick<Store, 'prepare'>,
  { tenant, kind }: VectorSet,
  since: number,
): (VectorRow & { readonly model: string })[] {
  return store
    .prepare(
      'SELECT row, project, model, vector FROM vectors WHERE tenant = ? AND kind = ? AND changed > ? ORDER BY changed',
    )
    .all(tenant, kind, since) as unknown as (VectorRow & { readonly model: string })[]
}

/** The rows removed after a change; some may have a vector again. */
export function removedVectors(
  store: Pick<Store, 'prepare'>,
  { tenant, kind }: VectorSet,
  since: number,
): number[] {
  return store
    .prepare('SELECT row FROM vectors WHERE tenant = ? AND kind = ? AND changed > ?')
    .all(tenant, removedKind(kind), since)
    .map(({ row }) => Number(row))
}

function removedKind(kind: string): string {
  return `${kind}:removed`
}

function putStatement(store: Pick<Store, 'prepare'>): ReturnType<Store['prepare']> {
  return store.prepare(
    `INSERT INTO vectors (tenant, project, session, agent, kind, row, model, vector, changed)
     VALUES (?, ?, '', '', ?, ?, ?, ?, ?)
     ON CONFLICT (kind, row) DO UPDATE SET
       project = excluded.project, model = excluded.model, vector = excluded.vector, changed = excluded.changed
     WHERE tenant = excluded.tenant`,
  )
}

function nextChange(store: Pick<Store, 'prepare'>, { tenant, kind }: VectorSet): number {
  const row = store
    .prepare(
      `INSERT INTO vector_sets (tenant, project, session, agent, kind, id, changed, removed)
       VALUES (?, '', '', '', ?, lower(hex(randomblob(8))), 1, 0)
       ON CONFLICT (tenant, kind) DO UPDATE SET changed = changed + 1 RETURNING changed`,
    )
    .get(tenant, kind)
  return Number(row?.changed)
}
