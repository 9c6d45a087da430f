/** How much room a text takes on a terminal: it counts columns, where JavaScript counts code units. */

/** Made at its first use: most of what is printed is plain. */
let segmenter: Intl.Segmenter | undefined

/** Drawn in two columns: East Asian characters, and pictures. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6B\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}\p{Regional_Indicator}\uFE0F]/u
/** Nothing but marks that are drawn onto what stands before them. */
const marksOnly = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
const plain = /^[\x20-\x7E]*$/

interface Cluster {
  readonly text: string
  readonly columns: number
}

function clustersOf(text: string): Cluster[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => ({
    text: segment,
    columns: wide.test(segment) ? 2 : marksOnly.test(segment) ? 0 : 1,
  }))
}

/** Columns that the text takes. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length
  return clustersOf(text).reduce((sum, { columns }) => sum + columns, 0)
}

/** The start of a text that is too long for its room, with a sign that something is missing. */
export function cutToWidth(text: string, room: number): string {
  if (textWidth(text) <= room) return text
  return room < 1 ? '' : `${startOf(text, room - 1)}…`
}

/** As much of the text as has room. */
export function startOf(text: string, room: number): string {
  if (plain.test(text)) return text.slice(0, Math.max(0, room))
  let used = 0
  let kept = ''
  for (const { text: cluster, columns } of clustersOf(text)) {
    used += columns
    if (used > room) break
    kept += cluster
  }
  return kept
}

/** With blanks behind it up to its room. */
export function padText(text: string, room: number): string {
  return text + ' '.repeat(Math.max(0, room - textWidth(text)))
}

/** In lines of at most so many columns, broken between words where there are any. */
export function wrapText(text: string, room: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (textWidth(longer) <= room) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (textWidth(line) > room && room >= 2) {
      const start = startOf(line, room)
      lines.push(start)
      line = line.slice(start.length)
    }
  }
  return [...lines, line]
}
