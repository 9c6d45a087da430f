/** Splits Markdown at its headings. Pure. */

import { fitsChunk, trimChunk, type Chunk } from './chunk.ts'
import { lineChunks } from './line-chunks.ts'

interface Section {
  readonly firstLine: number
  lastLine: number
  readonly name: string
}

/** One chunk per section, named after its headings: `Install > On Linux`. Long sections are split further. */
export function markdownChunks(lines: readonly string[]): Chunk[] {
  return sectionsOf(lines).flatMap(({ name, firstLine, lastLine }) =>
    fitsChunk(lines, firstLine, lastLine)
      ? trimChunk(lines, { name, firstLine, lastLine })
      : lineChunks(lines, { first: firstLine, last: lastLine }, name),
  )
}

function sectionsOf(lines: readonly string[]): Section[] {
  const above: string[] = []
  const sections: Section[] = [{ firstLine: 1, lastLine: lines.length, name: '' }]
  let fence: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line)
    if (fenceLine !== null) {
      const [, marks = '', rest = ''] = fenceLine
      if (fence === undefined) fence = marks
      else if (marks.startsWith(fence) && rest.trim() === '') fence = undefined
      continue
    }
    if (fence !== undefined) continue
    const heading = headingAt(lines, at)
    if (heading === undefined) continue
    above.length = Math.min(above.length, heading.level - 1)
    above[heading.level - 1] = heading.text
    sections.at(-1)!.lastLine = at
    const name = above.filter((text) => text !== undefined && text !== '').join(' > ')
    sections.push({ firstLine: at + 1, lastLine: lines.length, name })
  }
  return sections
}

function headingAt(lines: readonly string[], at: number): { level: number; text: string } | undefined {
  const line = lines[at]!
  const atx = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s.exec(line)
  if (atx !== null) {
    const text = (atx[2] ?? '').trim().replace(/(?:^|(?<![ \t])[ \t]+)#+$/, '')
    return { level: atx[1]!.length, text: plainText(text) }
  }
  const underline = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(lines[at + 1] ?? '')
  const isText = /^ {0,3}[^\s>#\-*+|`~<]/.test(line) && (at === 0 || lines[at - 1]!.trim() === '')
  if (underline === null || !isText) return undefined
  return { level: underline[1]!.startsWith('=') ? 1 : 2, text: plainText(line) }
}

const maxHeadingLength = 120

function plainText(text: string): string {
  return text
    .replace(/\[([^[\]]*)\]\([^)[]*\)/g, '$1')
    .replace(/[*_`]/g, '')
    .trim()
    .slice(0, maxHeadingLength)
}
