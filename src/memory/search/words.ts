/** Prepares texts and queries for the word index. */

/** Longer texts are neither notes nor program code, and are found by their beginning. */
const maxTextLength = 256 * 1024
/** Longer words are keys, hashes and encoded data that no one searches for. */
const maxWordLength = 80
/** Each term requires another index lookup. */
const maxTerms = 32

const wordRuns = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** Text that needs processing: non-ASCII letters, boundaries within words, or too long words. */
const notPlain = /[^ -~\s]|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d|\d[A-Za-z]|\w{80}/
/** Scripts without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const partBorders =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u

/** A text as it is indexed: identifiers whole and in their parts. */
export function indexedWords(text: string): string {
  // Most prose. The index itself splits it into words.
  if (text.length <= maxTextLength && !notPlain.test(text)) return text
  const words = wordsIn(text)
  return [...words, ...words.flatMap(partsOf)].join(' ')
}

/** The words and word parts of a query, lowercased; stop words only if there are no others. */
export function searchTerms(query: string): string[] {
  const terms = new Set<string>()
  const stopTerms = new Set<string>()
  for (const word of wordsIn(query.replaceAll(contractions, ''))) {
    for (const term of [word, ...partsOf(word)]) {
      const lower = term.toLowerCase()
      ;(stopWords.has(lower) ? stopTerms : terms).add(lower)
    }
    if (terms.size >= maxTerms) break
  }
  return [...(terms.size > 0 ? terms : stopTerms)].slice(0, maxTerms)
}

/** An expression that matches any word of the query; undefined if empty. */
export function matchExpression(query: string): string | undefined {
  const terms = searchTerms(query)
  return terms.length === 0 ? undefined : terms.map((term) => `"${term}"`).join(' OR ')
}

const contractions = /['’](?:s|t|re|ve|ll|d|m)\b/giu

function wordsIn(text: string): string[] {
  const words = text.slice(0, maxTextLength).match(wordRuns) ?? []
  return words.filter((word) => word.length <= maxWordLength || unspaced.test(word))
}

/** `getUserById` → get, User, By, Id. In scripts without spaces, all pairs of adjacent characters. */
function partsOf(word: string): string[] {
  if (!notPlain.test(word)) return []
  if (unspaced.test(word)) {
    const characters = Array.from(word)
    return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
  }
  const parts = word.split(partBorders)
  return parts.length > 1 ? parts : []
}

/** Function words that say nothing about the topic. */
const stopWords: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be because been being but by can could did do does doesn don for from had has
   have he her his how i if in into is isn it its just me my no nor not of on or our out over s she should so some such t
   than that the their them then there these they this those to too until up us very was we were what when where which
   while who why will with would you your`.split(/\s+/),
)
