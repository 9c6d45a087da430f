import { attainableScore } from './attainable-score.ts'
import { memoryConditions } from './memory-rows.ts'
import type { SqlValue } from './sqlite.ts'
import type { Store } from './store.ts'

export interface MemoryWords {
  readonly title: string
  readonly description: string
  readonly task: string
  readonly tags: string
  readonly content: string
}

export interface MemoryWordQuery {
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
// A column and not FTS5's own `rank`: that sorts all rows, and is worked out also for rows that are not wanted.
const score = `-bm25(memory_words, ${weights}) AS score`
/** How many of the best of all are looked at for each one wanted, before every row is asked whose it is. */
const first = 2

/** The memories of a tenant that share words with an expression. Without those that were merged into another. */
export function matchMemories(store: Pick<Store, 'prepare'>, query: MemoryWordQuery): MemoryMatches {
  const { expression, limit, tenant, projects } = query
  const { sql: isMine, values } = memoryConditions({ tenant, projects })
  const hits = (sql: string, ...given: SqlValue[]): MemoryMatches['hits'] =>
    store
      .prepare(`${sql} ORDER BY score DESC LIMIT ?`)
      .all(...given, ...values, limit)
      .map((row) => ({ row: Number(row.row), score: Number(row.score) }))

  const attainable = attainableScore(store, expression)
  const best = hits(
    `SELECT row, score
     FROM (SELECT rowid AS row, ${score} FROM memory_words WHERE memory_words MATCH ? ORDER BY score DESC LIMIT ?)
     CROSS JOIN memories ON seq = row WHERE ${isMine}`,
    expression,
    first * limit,
  )
  if (best.length === limit || countMatches(store, expression) <= first * limit)
    return { hits: best, attainable }
  const all = hits(
    `SELECT memory_words.rowid AS row, ${score} FROM memory_words CROSS JOIN memories ON seq = memory_words.rowid
     WHERE memory_words MATCH ? AND ${isMine}`,
    expression,
  )
  return { hits: all, attainable }
}

/** Of everybody's: for our own decisions only. */
function countMatches(store: Pick<Store, 'prepare'>, expression: string): number {
  const row = store
    .prepare('SELECT count(*) AS n FROM memory_words WHERE memory_words MATCH ?')
    .get(expression)
  return Number(row?.n)
}
