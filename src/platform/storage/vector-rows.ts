/**
 * Vectors and what happened to them. Every change has a number, so that who has them in memory reads only what is new.
 * What was removed stays listed for a while, as a row of another kind, for the same reason.
 */

import type { Store } from './store.ts'

/** All vectors of one kind that a tenant has. */
export interface VectorSet {
  readonly tenant: string
  readonly kind: string
}

export interface VectorSetState {
  /** Made up once: tells the set from those of other stores, where several share a place. */
  readonly id: string
  /** The number of the last change. */
  readonly changed: number
  /** Removals up to this one are no longer listed. */
  readonly removed: number
}

export interface VectorRow {
  readonly row: number
  readonly project: string
  readonly vector: Uint8Array
}

/** For so many changes a removal stays listed; who looks less often reads everything again. */
const listedChanges = 4096

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

/** Its name among the sets of other stores, made up now where it has none. */
export function vectorSetId(store: Pick<Store, 'prepare'>, set: VectorSet): string {
  store
    .prepare(
      `INSERT INTO vector_sets (tenant, project, session, agent, kind, id, changed, removed)
       VALUES (?, '', '', '', ?, lower(hex(randomblob(8))), 0, 0) ON CONFLICT (tenant, kind) DO NOTHING`,
    )
    .run(set.tenant, set.kind)
  return vectorSet(store, set)!.id
}

/** Writes vectors, or writes over those of the same rows. */
export function putVectors(
  store: Pick<Store, 'prepare' | 'atomically'>,
  set: VectorSet,
  model: string,
  vectors: readonly VectorRow[],
): void {
  if (vectors.length === 0) return
  // Who reads the number of a change must find all of it.
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
  const listed = listOf(kind)
  store.atomically(() => {
    const change = nextChange(store, set)
    const remove = store.prepare('DELETE FROM vectors WHERE tenant = ? AND kind = ? AND row = ?')
    const put = putStatement(store)
    for (const row of rows) {
      if (Number(remove.run(tenant, kind, row).changes) > 0) {
        put.run(tenant, '', listed, row, '', new Uint8Array(0), change)
      }
    }
    const forget = store.prepare('DELETE FROM vectors WHERE tenant = ? AND kind = ? AND changed <= ?')
    if (Number(forget.run(tenant, listed, change - listedChanges).changes) > 0) {
      store
        .prepare('UPDATE vector_sets SET removed = ? WHERE tenant = ? AND kind = ?')
        .run(change - listedChanges, tenant, kind)
    }
  })
}

/** All of one model, by row. In pages: rows one at a time take twice as long. */
export function* readVectors(
  store: Pick<Store, 'prepare'>,
  { tenant, kind }: VectorSet,
  model: string,
): Generator<VectorRow> {
  // In the order in which they lie in the file: the plus keeps SQLite from going by the index of changes.
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

/** Those written after a change, of every model. */
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

/** The rows removed after a change; some of them may have a vector again. */
export function removedVectors(
  store: Pick<Store, 'prepare'>,
  { tenant, kind }: VectorSet,
  since: number,
): number[] {
  return store
    .prepare('SELECT row FROM vectors WHERE tenant = ? AND kind = ? AND changed > ?')
    .all(tenant, listOf(kind), since)
    .map(({ row }) => Number(row))
}

function listOf(kind: string): string {
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
