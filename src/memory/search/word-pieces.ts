/** Text in the pieces that models of the BERT family know, lower-cased and without accents. */

/** White space and marks part words; a mark is a word of its own, and so is a Chinese character. */
const word = /[\p{Script=Han}]|[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu

export function* plainWords(text: string): Generator<string> {
  // Accents first become characters of their own.
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}|[\p{Cc}\p{Cf}\uFFFD](?<!\s)/gu, '')
  for (const [found] of plain.matchAll(word)) yield found
}

/** Longer ones are no words. */
const maxWordLength = 100

/**
 * The numbers of the longest pieces of which a word consists, those after the first written with `##`; undefined where
 * that is not possible.
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
