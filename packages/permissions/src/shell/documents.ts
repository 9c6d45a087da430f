/** Here-documents of a line: announced in it, with their text in the lines after it. */

import type { HereDocument, Script, TokenOf } from '@contextd/shared/shell/syntax'
import { block, stop } from './line-state.ts'
import { writtenAt, type LineReader } from './reader.ts'

const isFilledIn = 'a here-document in which the shell fills in'
export const innerDocument = 'a here-document inside a command'

export function announceDocument(reader: LineReader, token: TokenOf<'here-document'>): void {
  const { draft, found, script } = reader
  const { document, end } = token
  found.isPlain = false
  draft.whole += writtenAt(reader, token)
  if (mayBeFilledIn(document)) stop(found, isFilledIn)
  if (/['"\\]/.test(mayBeFilledIn(document) ? document.writtenDelimiter : document.delimiter))
    block(found, 'quotes inside the end of a here-document')
  reader.announced += 1
  const newline = script.text.indexOf('\n', end)
  const rest = script.text.slice(end, newline === -1 ? script.end : Math.min(newline, script.end))
  const textAfter = 'text after the start of a here-document'
  if (/^[ \t]*\|(?!\|)/.test(rest)) stop(found, textAfter)
  else if (/\S/.test(rest)) block(found, textAfter)
}

export function readBody(reader: LineReader, token: TokenOf<'document-body'>): void {
  const { found } = reader
  if (token.document.isLate) block(found, innerDocument)
  if (mayBeFilledIn(token.document) && /[$`]/.test(writtenAt(reader, token))) block(found, isFilledIn)
}

/** The client only recognizes delimiters that are quoted as a whole. */
function mayBeFilledIn({ writtenDelimiter }: HereDocument): boolean {
  return !/^(?:'[^']*'|"[^"]*"|\\\w+)$/.test(writtenDelimiter)
}

/** The text that `cat <<'EOF' …` prints, if the script does nothing else. */
export function printedText({ text, start, end, tokens }: Script): string | undefined {
  const [cat, blank, announcement, newline, body, ...rest] = tokens
  const isPrinted =
    text.startsWith('cat <<', start) &&
    cat?.type === 'word' &&
    blank?.type === 'blank' &&
    announcement?.type === 'here-document' &&
    /^(?:'\w+'|"\w+")$/.test(announcement.document.writtenDelimiter) &&
    newline?.type === 'separator' &&
    newline.operator === '\n' &&
    body?.type === 'document-body' &&
    body.contentEnd < body.end &&
    /^\n\s*$/.test(text.slice(body.end, end)) &&
    rest.every(({ type }) => type === 'separator' || type === 'blank')
  return isPrinted ? text.slice(body.start, body.contentEnd).replace(/\n$/, '') : undefined
}
