/** Splits Markdown into lines with their text and kind. */

export type LineKind =
  /** In a list or a table, or a separate line. */
  | 'item'
  | 'cells'
  | 'text'
  | 'code'
  /** Labels what follows: headings, table headers, front matter, comments. */
  | 'label'

export interface MarkdownLine {
  readonly kind: LineKind
  /** Without structural markup: list and heading markers, checkboxes, quotes. */
  readonly text: string
}

const fence = /^(?:`{3,}|~{3,})/
/** May be combined: a quote that contains a list with a checkbox. */
const marker = /^(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s))\s*/
const heading = /^#{1,6}(?=\s)\s*|(?<!\s)\s+#+$/g
const rule = /^[\s|:=*_+~-]*$/
const tableRule = /^(?=.*\|)(?=[\s|:]*-)[\s|:-]*$/

/** Lines without text, such as rules and fences, are omitted. */
export function markdownLines(markdown: string): MarkdownLine[] {
  const raws = markdown
    .replace(/^\u{feff}/u, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
  const lines: MarkdownLine[] = []
  let from = 0
  if (raws[0] === '---') {
    const end = raws.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)$/.test(line))
    for (const raw of raws.slice(1, Math.max(1, end))) lines.push({ kind: 'label', text: raw })
    from = end === -1 ? 1 : end + 1
  }
  let fenced: string | undefined
  for (let index = from; index < raws.length; index++) {
    const raw = raws[index]!
    const { text, isItem } = withoutMarkers(raw)
    const opened = fence.exec(text)?.[0]
    if (fenced !== undefined) {
      if (opened?.startsWith(fenced) === true && opened === text) fenced = undefined
      else if (!rule.test(raw)) lines.push({ kind: 'code', text: raw })
    } else if (opened !== undefined) {
      fenced = opened
    } else if (!rule.test(text)) {
      lines.push(lineOf(text, isItem, raws[index + 1]))
    }
  }
  return lines
}

function withoutMarkers(raw: string): { text: string; isItem: boolean } {
  let text = raw
  let isItem = false
  for (let found = marker.exec(text); found !== null; found = marker.exec(text)) {
    isItem ||= !found[0].startsWith('>')
    text = text.slice(found[0].length)
  }
  return { text, isItem }
}

function lineOf(text: string, isItem: boolean, next = ''): MarkdownLine {
  if (/^#{1,6}\s/.test(text)) return { kind: 'label', text: text.replace(heading, '') }
  if (/^<!--.*-->$/.test(text)) return { kind: 'label', text }
  if (!isItem && /^(?:=+|-{2,})$/.test(next)) return { kind: 'label', text }
  if (tableRule.test(next)) return { kind: 'label', text }
  if (isItem) return { kind: 'item', text }
  return { kind: /^\|.*\||\s\|\s/.test(text) ? 'cells' : 'text', text }
}
