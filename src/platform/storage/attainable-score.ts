import type { Store } from './store.ts'

/**
 * What a text of usual length scores that has each term of an expression once. Against it a score says how much of the
 * question a text answers, and not only which of several answers more: rare words weigh more, also those nobody used.
 */
export function attainableScore(store: Pick<Store, 'prepare'>, expression: string): number {
  const many = Number(store.prepare('SELECT count(*) AS n FROM memory_words_docsize').get()?.n)
  const having = store.prepare(
    'SELECT (SELECT count(*) FROM memory_words WHERE memory_words MATCH value) AS n FROM json_each(?)',
  )
  return having
    .all(JSON.stringify(expression.split(' OR ')))
    .map(({ n }) => Number(n))
    .reduce((score, n) => score + weightOf(n, many), 0)
}

/** As FTS5 weighs a term that so many of all texts have. */
function weightOf(having: number, all: number): number {
  return Math.max(Math.log((all - having + 0.5) / (having + 0.5)), 1e-6)
}
