/** Which lines of a chunk say why it was found. Pure. */

import { indexedWords, searchTerms } from '../search/words.ts'

export interface ShownLine {
  readonly number: number
  readonly text: string
}

/** The words that the index is asked for. */
export function soughtWords(query: string): ReadonlySet<string> {
  return new Set(wordsIn(searchTerms(query).join(' ')))
}

/** At most so many lines, in their order: those with most of the words, else the first that say anything. */
export function matchingLines(
  lines: readonly ShownLine[],
  sought: ReadonlySet<string>,
  most: number,
): ShownLine[] {
  const rated = lines
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map((line) => ({ line, hits: new Set(wordsIn(line.text).filter((word) => sought.has(word))).size }))
  const best = rated.filter(({ hits }) => hits > 0)
  const chosen = best.length === 0 ? rated : best.sort((a, b) => b.hits - a.hits)
  return chosen
    .slice(0, most)
    .map(({ line }) => line)
    .sort((a, b) => a.number - b.number)
}

const minWordLength = 3

/** Without their most common endings: who seeks `users` also seeks `user`. */
function wordsIn(text: string): string[] {
  return indexedWords(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= minWordLength)
    .map((word) => word.replace(/(?<=.{3})(?:ings?|ed|es|s|e)$/, ''))
}
