/** Decides whether a memory is relevant to a task or merely shares some words with it. */

import { searchTerms } from '../search/words.ts'
import { wordSet } from './word-overlap.ts'
import type { MemoryHit } from './bank.ts'

/** Share, and minimum number, of the task's topic words that a relevant memory contains. */
const sufficientOverlap = [
  { part: 0.65, words: 2 },
  { part: 0.5, words: 3 },
]
/** Minimum cosine similarity, and how far it must exceed the median: some models rate everything as close. */
const minSimilarity = 0.5
const minAboveMedian = 0.15
/** Lower thresholds that suffice if both words and meaning match. */
const partialOverlap = { part: 0.3, words: 2 }
const partialSimilarity = 0.35

/** The hits relevant to the task, in the same order. */
export function relevantHits(task: string, hits: readonly MemoryHit[]): MemoryHit[] {
  const topic = topicWords(task)
  const typical = median(hits.flatMap(({ similarity }) => similarity ?? []))
  return hits.filter(({ memory, similarity = 0 }) => {
    const { title, description, content, tags } = memory
    const memoryWords = wordSet([title, description, memory.task, ...tags, content].join('\n'))
    const known = new Set([...memoryWords].map(stemOf))
    const shared = topic.filter((word) => known.has(word)).length
    const shares = ({ part, words }: typeof partialOverlap): boolean =>
      shared > 0 && shared >= Math.min(words, topic.length) && shared >= part * topic.length
    const isExceptional = hits.length < 3 || similarity >= typical + minAboveMedian
    return (
      sufficientOverlap.some(shares) ||
      (similarity >= minSimilarity && isExceptional) ||
      (similarity >= partialSimilarity && shares(partialOverlap))
    )
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

/** Words typical of any task, in addition to the stop words that a search ignores. */
const genericWords = new Set(
  `add again bug change code continue error every explain fail failed failing fails feature few file files find fix fixes
   function hello implement look make new ok one problem project repository run running runs show still task test tests thanks try
   update way work working works write yes`.split(/\s+/),
)

/** The words that distinguish this task from others. */
function topicWords(task: string): string[] {
  return [
    ...new Set(
      searchTerms(task)
        .filter((word) => word.length > 1 && !genericWords.has(word))
        .map(stemOf),
    ),
  ]
}

/** Stem: `migrations` and `migrating` are about a migration. */
function stemOf(word: string): string {
  return word.replace(/(?:ations?|ating|ated|ings?|ed|es|s|e)$/, '')
}
