import { indexedWords } from '../search/words.ts'

/** The distinct words of a text, as the word index has them. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(
    indexedWords(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )
}

/** Word overlap of two texts: 0 for none, 1 for identical word sets. */
export function wordOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 0
  const both = [...one].filter((word) => other.has(word)).length
  return (2 * both) / (one.size + other.size)
}
