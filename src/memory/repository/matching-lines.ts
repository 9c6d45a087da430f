/** Selects the lines of a chunk that show why it was found. Pure. */

import { indexedWords, searchTerms } from '../search/words.ts'

export interface ShownLine {
  readonly number: number
  readonly text: string
}

/** The words of the index query. */
export function queryWords(query: string): ReadonlySet<string> {
  return new Set(wordsIn(searchTerms(query).join(' ')))
}

/** Up to `maxLines` lines in order: those containing most of the words, or the first nonblank ones. */
export function matchingLines(
  lines: readonly ShownLine[],
  words: ReadonlySet<string>,
  maxLines: number,
): ShownLine[] {
  const rated = lines
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map((line) => ({ line, hits: new Set(wordsIn(line.text).filter((word) => words.has(word))).size }))
  const best = rated.filter(({ hits }) => hits > 0)
  const chosen = best.length === 0 ? rated : best.sort((a, b) => b.hits - a.hits)
  return chosen
    .slice(0, maxLines)
    .map(({ line }) => line)
    .sort((a, b) => a.number - b.number)
}

const minWordLength = 3

/** Strips the most common endings: `users` also matches `user`. */
function wordsIn(text: string): string[] {
  return indexedWords(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= minWordLength)
    .map((word) => word.replace(/(?<=.{3})(?:ings?|ed|es|s|e)$/, ''))
}
