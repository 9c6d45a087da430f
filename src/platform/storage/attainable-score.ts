import type { Store } from './store.ts'

/**
 * The score of a text of average length that contains each term of an expression once. Relative to it, a score shows
 * how much of the question a text answers, rather than just its rank: rare words weigh more, even those that no text
 * contains.
 */
export function attainableScore(store: Pick<Store, 'prepare'>, expression: string): number {
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
