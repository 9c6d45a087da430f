import { indexedWords } from '../search/words.ts'

/** The different words of a text, as the word index has them. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(
    indexedWords(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )
}

/** How much of the words of two texts is the same: 0 for nothing, 1 for all. */
export function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 0
  const both = [...one].filter((word) => other.has(word)).length
  return (2 * both) / (one.size + other.size)
}
