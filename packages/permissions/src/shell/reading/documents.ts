/** Here-documents of a line: announced inside of it, with their text in the lines behind it. */

import { block, stop } from '../line-state.ts'
import { contentOf, type HereDocument } from '../here-document.ts'
import { matchHere, type LineReader } from './reader.ts'
import { endWord } from './words.ts'

const isFilledIn = 'a here-document in which the shell fills in'

export function announceDocument(reader: LineReader, document: HereDocument): void {
  const { draft, found, documents } = reader
  endWord(reader)
  found.isPlain = false
  draft.whole += document.start
  if (document.isFilledIn) stop(found, isFilledIn)
  if (/['"\\]/.test(document.end)) block(found, 'quotes inside the end of a here-document')
  documents.push(document)
  reader.at += document.start.length
  const behind = 'what stands behind the start of a here-document'
  if (matchHere(reader, /[ \t]*\|(?!\|)/y) !== null) stop(found, behind)
  else if (matchHere(reader, /[^\n]*\S/y) !== null) block(found, behind)
}

/** At the start of the line behind the one that announced them. */
export function skipDocuments(reader: LineReader): void {
  const { text, at, found, documents } = reader
  const [document] = documents
  reader.documents = []
  if (document === undefined) return
  // Of a line with several the client sees nothing that comes after it.
  if (documents.length > 1) {
    block(found, 'several here-documents')
    reader.at = text.length
    return
  }
  const content = contentOf(document, text.slice(at))
  if (document.isFilledIn && /[$`]/.test(content)) block(found, isFilledIn)
  reader.at = Math.min(at + content.length + 1, text.length)
}
