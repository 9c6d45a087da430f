const longestText = 32_768
const longestWord = 80
const longestUnknown = 24

/** The rows of the table that stand for a text: whole words where it has them, else their parts, else pieces. */
export function tokenize(text: string, rows: ReadonlyMap<string, number>, most: number): number[] {
  const found: number[] = []
  const seen = new Map<string, number[]>()
  for (const [word] of plain(text.slice(0, longestText)).matchAll(/[A-Za-z0-9]+/g)) {
    let known = seen.get(word)
    if (known === undefined) seen.set(word, (known = rowsOf(word, rows)))
    found.push(...known)
    if (found.length >= most) return found.slice(0, most)
  }
  return found
}

/** Letters without their accents. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')
}

function rowsOf(word: string, rows: ReadonlyMap<string, number>): number[] {
  const whole = rows.get(word.toLowerCase())
  if (whole !== undefined) return [whole]
  // Hashes and encoded data say nothing.
  if (word.length > longestWord) return []
  return word.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).flatMap((part) => {
    const row = rows.get(part.toLowerCase())
    return row === undefined ? (part.toLowerCase().match(/[a-z]+|[0-9]+/g) ?? []).flatMap(run) : [row]
  })

  function run(letters: string): number[] {
    const row = rows.get(letters)
    if (row !== undefined) return [row]
    return letters.length > longestUnknown || /\d/.test(letters) ? [] : pieces(letters, rows)
  }
}

/** WordPiece: always the longest that fits. */
function pieces(letters: string, rows: ReadonlyMap<string, number>): number[] {
  const found: number[] = []
  let start = 0
  while (start < letters.length) {
    let end = letters.length
    let row: number | undefined
    for (; end > start && row === undefined; end--) {
      const piece = letters.slice(start, end)
      row = rows.get(start === 0 ? piece : `##${piece}`)
    }
    if (row === undefined) return []
    found.push(row)
    start = end + 1
  }
  return found
}
