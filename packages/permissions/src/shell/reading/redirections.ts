/** Signs that turn the input and the output of a command elsewhere. */

import { block } from '../line-state.ts'
import { hereDocument } from '../here-document.ts'
import { redirectionOf } from '../signs.ts'
import { announceDocument } from './documents.ts'
import { readCommandInside } from './expansions.ts'
import { ahead, matchHere, type LineReader } from './reader.ts'
import { endWord } from './words.ts'

/** At `<` or `>`. */
export function readAngle(reader: LineReader): void {
  if (reader.text[reader.at + 1] === '(') return readCommandInside(reader)
  const document = hereDocument(ahead(reader))
  if (document === undefined) readRedirection(reader)
  else announceDocument(reader, document)
}

/** What it leads to is the word behind it. */
export function readRedirection(reader: LineReader): void {
  const { draft, word, found } = reader
  const operator = matchHere(reader, /&>>?|<<<|[<>]&|>>|>\||<>|[<>]/y)![0]
  // The number in front says which stream, and is no word.
  const stream = word !== undefined && /^\d+$/.test(word.written) ? word.written : ''
  if (stream !== '') reader.word = undefined
  endWord(reader)
  draft.whole += stream + operator
  if (operator === '<>') block(found, 'a file that is read and written')
  reader.redirection = redirectionOf(operator)
  reader.at += operator.length
}
