/** Splits text into the pieces that models of the BERT family know, lowercased and without accents. */

/** White space and punctuation separate words; punctuation marks and Chinese characters are words themselves. */
const word = /[\p{Script=Han}]|[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu

export function* plainWords(text: string): Generator<string> {
  // Decompose accented characters first.
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}|[\p{Cc}\p{Cf}\uFFFD](?<!\s)/gu, '')
  for (const [found] of plain.matchAll(word)) yield found
}

/** Longer strings are not words. */
const maxWordLength = 100

/**
 * The ids of the longest matching pieces of a word, where pieces after the first have the prefix `##`; undefined if
 * the word cannot be composed.
 */
export function wordPieces(text: string, vocabulary: ReadonlyMap<string, number>): number[] | undefined {
  if (text.length > maxWordLength) return undefined
  const pieces: number[] = []
  for (let from = 0; from < text.length;) {
    let to = text.length
    let piece: number | undefined
    for (; to > from; to--) {
      piece = vocabulary.get((from > 0 ? '##' : '') + text.slice(from, to))
      if (piece !== undefined) break
    }
    if (piece === undefined) return undefined
    pieces.push(piece)
    from = to
  }
  return pieces
}
