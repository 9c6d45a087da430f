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
  /** Only these projects, where the empty name means user-wide memories; all if absent. */
  readonly projects?: readonly string[]
  /** From `matchExpression`. */
  readonly expression: string
  readonly limit: number
}

export interface MemoryMatches {
  /** Best first. */
  readonly hits: { readonly row: number; readonly score: number }[]
  /** The score of a text that contains each word of the query once. */
  readonly attainable: number
}

/** Replaces a memory's entry in the word index, in the caller's transaction. */
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

/** The topic matters more than the wording: title, description, task, tags, content. */
const weights = '3, 2, 2, 2, 1'
// A column rather than FTS5's own `rank`, which sorts all rows and is also computed for unwanted ones.
const score = `-bm25(memory_words, ${weights}) AS score`
/** How many top rows per requested one are tried first, before the owner of every row is checked. */
const oversampling = 2

/** The memories of a tenant that share words with an expression, without merged ones. */
export function matchMemories(store: Pick<Store, 'prepare'>, query: MemoryWordQuery): MemoryMatches {
  const { expression, limit, tenant, projects } = query
  const { sql: isOwned, values } = memoryConditions({ tenant, projects })
  const hits = (sql: string, ...parameters: SqlValue[]): MemoryMatches['hits'] =>
    store
      .prepare(`${sql} ORDER BY score DESC LIMIT ?`)
      .all(...parameters, ...values, limit)
      .map((row) => ({ row: Number(row.row), score: Number(row.score) }))

  const attainable = attainableScore(store, expression)
  const best = hits(
    `SELECT row, score
     FROM (SELECT rowid AS row, ${score} FROM memory_words WHERE memory_words MATCH ? ORDER BY score DESC LIMIT ?)
     CROSS JOIN memories ON seq = row WHERE ${isOwned}`,
    expression,
    oversampling * limit,
  )
  if (best.length === limit || countMatches(store, expression) <= oversampling * limit)
    return { hits: best, attainable }
  const all = hits(
    `SELECT memory_words.rowid AS row, ${score} FROM memory_words CROSS JOIN memories ON seq = memory_words.rowid
     WHERE memory_words MATCH ? AND ${isOwned}`,
    expression,
  )
  return { hits: all, attainable }
}

/** Counts all tenants' matches, so the number must not be exposed. */
function countMatches(store: Pick<Store, 'prepare'>, expression: string): number {
  const row = store
    .prepare('SELECT count(*) AS n FROM memory_words WHERE memory_words MATCH ?')
    .get(expression)
  return Number(row?.n)
}

/**
 * The score of a text of average length that contains each term of an expression once. Relative to it, a score shows
 * how much of the question a text answers, rather than just its rank: rare words weigh more, even those that no text
 * contains.
 */
function attainableScore(store: Pick<Store, 'prepare'>, expression: string): number {
  const total = Number(store.prepare('SELECT count(*) AS n FROM memory_words_docsize').get()?.n)
  const having = store.prepare(
    'SELECT (SELECT count(*) FROM memory_words WHERE memory_words MATCH value) AS n FROM json_each(?)',
  )
  return having
    .all(JSON.stringify(expression.split(' OR ')))
    .map(({ n }) => Number(n))
    .reduce((score, n) => score + weightOf(n, total), 0)
}

/** FTS5's weight of a term that occurs in `having` of `all` texts. */
function weightOf(having: number, all: number): number {
  return Math.max(Math.log((all - having + 0.5) / (having + 0.5)), 1e-6)
}
