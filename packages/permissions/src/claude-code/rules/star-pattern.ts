/** Patterns in which `*` stands for any text, also none. Case counts. Never slower than the text times the pattern. */

export function matchesStars(pattern: string, text: string): boolean {
  return matchesPieces(pattern.split('*'), text)
}

/** What stands between the wildcards, in this order. */
export function matchesPieces(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? ''
  if (pieces.length < 2) return text === first
  const last = pieces.at(-1)!
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  const end = text.length - last.length
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found === -1 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}
