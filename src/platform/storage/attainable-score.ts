import type { Store } from './store.ts'

/**
 * What a text of usual length scores that has each term of an expression once. Against it a score says how much of the
 * question a text answers, and not only which of several answers more: rare words weigh more, also those nobody used.
 */
export function attainableScore(
  store: Pick<Store, 'prepare'>,
  index: 'memory_words' | 'chunk_words',
  expression: string,
): number {
  const many = Number(store.prepare(`SELECT count(*) AS n FROM ${index}_docsize`).get()?.n)
  const having = store.prepare(`SELECT count(*) AS n FROM ${index} WHERE ${index} MATCH ?`)
  let score = 0
  for (const term of expression.split(' OR ')) {
    const n = Number(having.get(term)?.n)
    // As FTS5 weighs terms, also those that more than half of all texts have.
    score += Math.max(Math.log((many - n + 0.5) / (n + 0.5)), 1e-6)
  }
  return score
}
