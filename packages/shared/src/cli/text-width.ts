/** Text width in terminal columns, where JavaScript counts code units. */

/** Created on first use, since most output is plain ASCII. */
let segmenter: Intl.Segmenter | undefined

/** Two columns wide: East Asian characters and emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6B\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}\p{Regional_Indicator}\uFE0F]/u
/** Only combining marks, which take no column. */
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

/** The width of a text in columns. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length
  return clustersOf(text).reduce((sum, { columns }) => sum + columns, 0)
}

/** Truncates a text that is too wide, with an ellipsis. */
export function cutToWidth(text: string, room: number): string {
  if (textWidth(text) <= room) return text
  return room < 1 ? '' : `${startOf(text, room - 1)}…`
}

/** The longest prefix that fits. */
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

/** Pads a text with trailing spaces. */
export function padText(text: string, room: number): string {
  return text + ' '.repeat(Math.max(0, room - textWidth(text)))
}

/** Wraps a text at spaces, or within words that are too wide. */
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
