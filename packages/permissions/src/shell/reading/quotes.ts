/** What keeps signs of the shell from meaning anything: backslashes and quotes. */

import { stop } from '../line-state.ts'
import { readExpansion } from './expansions.ts'
import { take, type LineReader } from './reader.ts'
import { endWord } from './words.ts'

export function readBackslash(reader: LineReader): void {
  const { text, at, draft } = reader
  const next = text[at + 1] ?? ''
  if (next !== '\n') return take(reader, 2, next)
  // To the client a line that goes on is a blank.
  endWord(reader)
  if (/\S$/.test(draft.text)) draft.text += ' '
  reader.at += 2
}

export function readSingleQuotes(reader: LineReader): void {
  const { text, at } = reader
  const end = text.indexOf("'", at + 1)
  // What is not closed loses its last letter to the client.
  if (end === -1) take(reader, text.length - at, text.slice(at + 1, -1))
  else take(reader, end + 1 - at, text.slice(at + 1, end))
}

export function readDoubleQuotes(reader: LineReader): void {
  const { text } = reader
  take(reader, 1, '')
  reader.isQuoted = true
  while (reader.at < text.length && text[reader.at] !== '"') readInQuotes(reader)
  if (reader.at >= text.length) stop(reader.found, 'a quote that is not closed')
  reader.isQuoted = false
  take(reader, 1, '')
}

function readInQuotes(reader: LineReader): void {
  const { text, at } = reader
  const character = text[at]!
  const next = text[at + 1] ?? ''
  if (character === '\\' && /["$`\\]/.test(next)) take(reader, 2, next)
  else if (character === '$' || character === '`') readExpansion(reader)
  else take(reader, 1, character)
}
