/** What the word index is given to keep, and what it is asked. */

/** Beyond that a text is no note and no part of a program, and what stands there is found by the rest of it. */
const maxTextLength = 256 * 1024
/** Longer ones are keys, hashes and encoded data: nobody looks for them by hand. */
const maxWordLength = 80
/** Each is one more list to go through. */
const maxTerms = 32

const wordRuns = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** What cannot be left as it is: other letters than plain ones, borders within words, words too long. */
const notPlain = /[^ -~\s]|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d|\d[A-Za-z]|\w{80}/
/** Languages written without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const partBorders =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u

/** A text as the index reads it: identifiers whole and in their parts. */
export function indexedWords(text: string): string {
  // Most texts of people. The index splits them into words itself.
  if (text.length <= maxTextLength && !notPlain.test(text)) return text
  const words = wordsIn(text)
  return [...words, ...words.flatMap(partsOf)].join(' ')
}

/** The words and parts of words that a query is about, lower-cased; those that hold a sentence together only where it has no others. */
export function searchTerms(query: string): string[] {
  const terms = new Set<string>()
  const emptyTerms = new Set<string>()
  for (const word of wordsIn(query.replaceAll(contractions, ''))) {
    for (const term of [word, ...partsOf(word)]) {
      const lower = term.toLowerCase()
      ;(stopWords.has(lower) ? emptyTerms : terms).add(lower)
    }
    if (terms.size >= maxTerms) break
  }
  return [...(terms.size > 0 ? terms : emptyTerms)].slice(0, maxTerms)
}

/** An expression that finds whatever shares a word with the query; none where it has no words. */
export function matchExpression(query: string): string | undefined {
  const terms = searchTerms(query)
  return terms.length === 0 ? undefined : terms.map((term) => `"${term}"`).join(' OR ')
}

const contractions = /['’](?:s|t|re|ve|ll|d|m)\b/giu

function wordsIn(text: string): string[] {
  const words = text.slice(0, maxTextLength).match(wordRuns) ?? []
  return words.filter((word) => word.length <= maxWordLength || unspaced.test(word))
}

/** `getUserById` → get, User, By, Id. Words without spaces between them in pairs of signs. */
function partsOf(word: string): string[] {
  if (!notPlain.test(word)) return []
  if (unspaced.test(word)) {
    const signs = Array.from(word)
    return signs.slice(1).map((sign, i) => `${signs[i]}${sign}`)
  }
  const parts = word.split(partBorders)
  return parts.length > 1 ? parts : []
}

/** Words that hold a sentence together and say nothing of what it is about. */
const stopWords: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be because been being but by can could did do does doesn don for from had has
   have he her his how i if in into is isn it its just me my no nor not of on or our out over s she should so some such t
   than that the their them then there these they this those to too until up us very was we were what when where which
   while who why will with would you your`.split(/\s+/),
)
