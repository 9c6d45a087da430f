import { attainableScore } from './attainable-score.ts'
import type { SqlValue } from './sqlite.ts'
import type { Store } from './store.ts'

export interface MemoryWords {
  readonly title: string
  readonly description: string
  readonly task: string
  readonly tags: string
  readonly content: string
}

export interface MemoryQuery {
  readonly tenant: string
  /** Only of these projects, empty for what belongs to all of them; every one where absent. */
  readonly projects?: readonly string[]
  /** Of `matchExpression`. */
  readonly expression: string
  readonly limit: number
}

export interface MemoryMatches {
  /** The best first, with the higher scores. */
  readonly hits: { readonly row: number; readonly score: number }[]
  /** All that matched, also those beyond the limit. */
  readonly matched: number
  /** The score of a text that has each word of the query once. */
  readonly attainable: number
}

/** Makes a memory findable by its words, in the transaction of its caller. What it was found by before is forgotten. */
export function putMemoryWords(store: Pick<Store, 'prepare'>, seq: number, words: MemoryWords): void {
  store
    .prepare(
      'INSERT OR REPLACE INTO memory_words (rowid, title, description, task, tags, content) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(seq, words.title, words.description, words.task, words.tags, words.content)
}

export function removeMemoryWords(store: Pick<Store, 'prepare'>, seq: number): void {
  store.prepare('DELETE FROM memory_words WHERE rowid = ?').run(seq)
}

/** What it is about says more than how it is told: title, description, task, tags, content. */
const weights = '3, 2, 2, 2, 1'

/** The memories of a tenant that share words with an expression. Without those that were merged into another. */
export function matchMemories(store: Pick<Store, 'prepare'>, query: MemoryQuery): MemoryMatches {
  const { sql: mine, values } = within(query)
  // The score is a column and not FTS5's own `rank`: so it is worked out only for rows that are the tenant's, and the
  // best few are kept instead of all being sorted.
  const rows = store
    .prepare(
      `SELECT memory_words.rowid AS row, -bm25(memory_words, ${weights}) AS score ${mine} ORDER BY score DESC LIMIT ?`,
    )
    .all(...values, query.limit)
  const hits = rows.map(({ row, score }) => ({ row: Number(row), score: Number(score) }))
  const matched =
    hits.length < query.limit
      ? hits.length
      : Number(store.prepare(`SELECT count(*) AS n ${mine}`).get(...values)?.n)
  return { hits, matched, attainable: attainableScore(store, 'memory_words', query.expression) }
}

function within({ tenant, projects, expression }: MemoryQuery): { sql: string; values: SqlValue[] } {
  const values: SqlValue[] = [expression, tenant]
  const scopes: string[] = []
  const named = projects?.filter((project) => project !== '') ?? []
  if (projects?.includes('')) scopes.push("memories.scope = 'user'")
  if (named.length > 0) {
    scopes.push(`(memories.scope = 'project' AND memories.project IN (${named.map(() => '?').join(', ')}))`)
    values.push(...named)
  }
  const scope = projects === undefined ? '' : ` AND (${scopes.join(' OR ') || 'FALSE'})`
  return {
    sql: `FROM memory_words CROSS JOIN memories ON memories.seq = memory_words.rowid
      WHERE memory_words MATCH ? AND memories.tenant = ?${scope} AND memories.merged_into IS NULL`,
    values,
  }
}
