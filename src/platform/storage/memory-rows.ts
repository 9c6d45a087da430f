import type { Values } from './row-sql.ts'
import type { SqlRow, SqlValue } from './sqlite.ts'
import type { Store } from './store.ts'

type Statements = Pick<Store, 'prepare'>

/** What determines whether a memory matches a search's filters. */
const judged = 'seq, scope, project, outcome, tags, helped, misled, merged_into'

/** The tenant's memories among these rows, complete or reduced to what a search needs. */
export function memoriesAt(
  store: Statements,
  tenant: string,
  rows: readonly number[],
  what: 'all' | 'judged' = 'all',
): SqlRow[] {
  // A cross join, so that rows are looked up by key rather than scanned for.
  return store
    .prepare(
      `SELECT ${what === 'all' ? 'memories.*' : judged} FROM json_each(?) AS wanted CROSS JOIN memories ON seq = wanted.value WHERE tenant = ?`,
    )
    .all(JSON.stringify(rows), tenant)
}

export interface MemoryFilter {
  readonly tenant: string
  /** Only these projects, where the empty name means user-wide memories; all if absent. */
  readonly projects?: readonly string[] | undefined
  readonly outcome?: string | undefined
  readonly tag?: string | undefined
  /** Includes memories merged into others. */
  readonly merged?: boolean | undefined
}

/** Newest first, before a given row. */
export function memoryPage(
  store: Statements,
  filter: MemoryFilter,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): SqlRow[] {
  const { sql, values } = memoryConditions(filter)
  return store
    .prepare(`SELECT * FROM memories WHERE ${sql} AND seq < ? ORDER BY seq DESC LIMIT ?`)
    .all(...values, before, limit)
}

export function countMemories(store: Statements, filter: MemoryFilter): number {
  const { sql, values } = memoryConditions(filter)
  return Number(store.prepare(`SELECT count(*) AS many FROM memories WHERE ${sql}`).get(...values)?.many)
}

/** The condition for a statement over `memories`. */
export function memoryConditions({ tenant, projects, outcome, tag, merged = false }: MemoryFilter): {
  sql: string
  values: SqlValue[]
} {
  const parts: [string, ...SqlValue[]][] = [['tenant = ?', tenant]]
  if (projects !== undefined) {
    const own = projects.map((project) =>
      project === '' ? "scope = 'user'" : "scope = 'project' AND project = ?",
    )
    const named = projects.filter((project) => project !== '')
    parts.push([`(${own.join(' OR ') || 'FALSE'})`, ...named])
  }
  if (outcome !== undefined) parts.push(['outcome = ?', outcome])
  if (tag !== undefined)
    parts.push(['EXISTS (SELECT 1 FROM json_each(tags) WHERE lower(value) = lower(?))', tag])
  if (!merged) parts.push(['merged_into IS NULL'])
  return { sql: parts.map(([sql]) => sql).join(' AND '), values: parts.flatMap(([, ...values]) => values) }
}

/** Returns its row number. */
export function insertMemory(store: Statements, tenant: string, values: Values<'memories'>): number {
  const names = Object.keys(values)
  const row = store
    .prepare(
      `INSERT INTO memories (tenant, ${names.join(', ')}) VALUES (?${', ?'.repeat(names.length)}) RETURNING seq`,
    )
    .get(tenant, ...Object.values(values))
  return Number(row?.seq)
}

/** Whether the stored memory has exactly these values. Comparing in SQLite is cheaper than reading them all. */
export function isMemory(
  store: Statements,
  tenant: string,
  seq: number,
  values: Values<'memories'>,
): boolean {
  const same = Object.keys(values)
    .map((column) => ` AND ${column} IS ?`)
    .join('')
  return (
    store
      .prepare(`SELECT 1 AS same FROM memories WHERE tenant = ? AND seq = ?${same}`)
      .get(tenant, seq, ...Object.values(values)) !== undefined
  )
}

/** Whether the word index contains this memory. */
export function memoryHasWords(store: Statements, seq: number): boolean {
  return store.prepare('SELECT rowid FROM memory_words WHERE rowid = ?').get(seq) !== undefined
}

/** Memories without a vector of this model, by row number. */
export function memoriesWithout(
  store: Statements,
  { tenant, model, after, limit }: { tenant: string; model: string; after: number; limit: number },
): SqlRow[] {
  return store
    .prepare(
      `SELECT seq, title, description, task, tags, content FROM memories
       WHERE tenant = ? AND seq > ? AND vector_model IS NOT ? ORDER BY seq LIMIT ?`,
    )
    .all(tenant, after, model, limit)
}
