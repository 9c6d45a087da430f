/** Whether a memory is about a task, or only has some words in common with it. */

import { searchTerms } from '../search/words.ts'
import { wordSet } from './alike.ts'
import type { MemoryHit } from './bank.ts'

/** The share of a task's telling words that a memory about it has, and how many of them at least. */
const muchShared = [
  { part: 0.65, words: 2 },
  { part: 0.5, words: 3 },
]
/** Cosine from which on a text is about the same, and how far it must stand out: some models find everything close. */
const closeInMeaning = 0.5
const standsOut = 0.15
/** Where both words and meaning speak for it, less of either will do. */
const someShared = { part: 0.3, words: 2 }
const somewhatClose = 0.35

/** Those that are about the task, in the same order. */
export function fittingHits(task: string, hits: readonly MemoryHit[]): MemoryHit[] {
  const asked = askedWords(task)
  const usual = median(hits.flatMap(({ similarity }) => similarity ?? []))
  return hits.filter(({ memory, similarity = 0 }) => {
    const { title, description, content, tags } = memory
    const said = wordSet([title, description, memory.task, ...tags, content].join('\n'))
    const known = new Set([...said].map(stemOf))
    const shared = asked.filter((word) => known.has(word)).length
    const shares = ({ part, words }: typeof someShared): boolean =>
      shared > 0 && shared >= Math.min(words, asked.length) && shared >= part * asked.length
    const isOutstanding = hits.length < 3 || similarity >= usual + standsOut
    return (
      muchShared.some(shares) ||
      (similarity >= closeInMeaning && isOutstanding) ||
      (similarity >= somewhatClose && shares(someShared))
    )
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

/** What people ask for whatever it is about, beside the words that a search leaves out. */
const everyday = new Set(
  `add again bug change code continue error every explain fail failed failing fails feature few file files find fix fixes
   function hello implement look make new ok one problem project repository run running runs show still task test tests thanks try
   update way work working works write yes`.split(/\s+/),
)

/** What of a task tells it from others. */
function askedWords(task: string): string[] {
  return [
    ...new Set(
      searchTerms(task)
        .filter((word) => word.length > 1 && !everyday.has(word))
        .map(stemOf),
    ),
  ]
}

/** Without its ending: `migrations` and `migrating` are about a migration. */
function stemOf(word: string): string {
  return word.replace(/(?:ations?|ating|ated|ings?|ed|es|s|e)$/, '')
}
