/** Here-documents: announced in a line, with their text in the lines after it. */

import { matchHere, type Cursor } from './cursor.ts'
import { parseContent, parseWord } from './parts.ts'
import type { HereDocument, WordPart, ShellToken } from './syntax.ts'

/** At the word after `<<`; undefined if it is missing. */
export function parseAnnouncement(cursor: Cursor, isIndented: boolean): HereDocument | undefined {
  const from = cursor.at
  cursor.at += matchHere(cursor, /(?:[ \t]|\\\n)+/y).length
  const { text, at } = cursor
  // Here-documents in the delimiter would be its own letters.
  const parts = parseWord({ ...cursor, documents: [] }, false)
  const end = parts.at(-1)?.end
  if (end === undefined) {
    cursor.at = from
    return undefined
  }
  cursor.at = end
  return {
    writtenDelimiter: text.slice(at, end),
    delimiter: parts.map((part) => unquoted(text, part)).join(''),
    isIndented,
    isLiteral: parts.some(({ type }) => /^(?:escape|.*-quoted)$/.test(type)),
    isLate: false,
  }
}

/** The shell undoes quotes in a delimiter, and expands nothing. */
function unquoted(text: string, part: WordPart): string {
  if (part.type === 'escape') return part.value
  if (part.type === 'single-quoted' || part.type === 'ansi-quoted') return part.content
  if (part.type === 'double-quoted') return part.parts.map((inner) => unquoted(text, inner)).join('')
  return text.slice(part.start, part.end)
}

/** At the start of the line after the announcement. */
export function parseBody(cursor: Cursor, document: HereDocument, isSubstitution: boolean): ShellToken {
  const { text, at: start, end } = cursor
  const { delimiter, isLiteral, isIndented } = document
  let lineStart = start
  let bodyEnd = end
  while (lineStart < end) {
    const lineEnd = endOfLine(cursor, lineStart, isLiteral)
    const written = text.slice(lineStart, lineEnd)
    const line = isLiteral ? written : written.replaceAll('\\\n', '')
    const tabs = isIndented ? /^\t*/.exec(line)![0].length : 0
    if (line.slice(tabs) === delimiter) {
      bodyEnd = lineEnd
      break
    }
    // bash accepts the parenthesis of the substitution on the same line.
    if (isSubstitution && line.startsWith(delimiter, tabs) && line.includes(')', tabs + delimiter.length)) {
      bodyEnd = Math.min(lineStart + tabs + delimiter.length, lineEnd)
      break
    }
    lineStart = lineEnd + 1
  }
  const contentEnd = Math.min(lineStart, end)
  const parts: readonly WordPart[] = isLiteral
    ? [{ type: 'literal', start, end: contentEnd }]
    : parseContent({ ...cursor, documents: [] }, contentEnd)
  cursor.at = bodyEnd
  return { type: 'document-body', start, end: bodyEnd, document, contentEnd, parts }
}

/** Unless the delimiter is quoted, a backslash at its end joins a line with the next. */
function endOfLine({ text, end }: Cursor, from: number, isLiteral: boolean): number {
  for (let at = from; at < end; at += 1) {
    if (text[at] === '\n') return at
    if (text[at] === '\\' && !isLiteral) at += 1
  }
  return end
}
