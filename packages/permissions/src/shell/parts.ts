/** The parts of a word: letters, quotes, and what the shell expands: variables, arithmetic, the output of commands. */

import type { WordPart, PartOf, TokenOf } from '@contextd/shared/shell/syntax'
import { ownVariable } from './hindrances.ts'
import { block, stop } from './line-state.ts'
import { filledIn } from './simple-command.ts'
import { contentOf, continuation, translatedSign } from './deviations.ts'
import { innerDocument, printedText } from './documents.ts'
import { blockDepth, noteFilledIn, take, writtenAt, type LineReader } from './reader.ts'
import { endWord, readContinuation } from './words.ts'

const innerCommand = 'a command inside a command'
const codes = 'text with codes'

export function readWord(reader: LineReader, { parts, end }: TokenOf<'word'>): void {
  for (const part of parts) readPart(reader, part)
  endWord(reader)
  reader.wordEnd = end
}

function readPart(reader: LineReader, part: WordPart): void {
  const { found } = reader
  switch (part.type) {
    case 'literal':
      return readLiteral(reader, part)
    case 'escape':
      return readEscape(reader, part)
    case 'single-quoted':
      return take(reader, part, contentOf(part))
    case 'ansi-quoted':
      stop(found, codes)
      return take(reader, part, translatedSign + contentOf(part))
    case 'double-quoted':
      return readDoubleQuotes(reader, part)
    case 'variable':
      return readVariable(reader, part)
    case 'parameter':
      return readParameter(reader, part)
    case 'substitution':
      return readSubstitution(reader, part)
    case 'arithmetic':
      return readArithmetic(reader, part)
    case 'wildcard':
      take(reader, part, writtenAt(reader, part))
      reader.word!.isPattern = true
      return undefined
    case 'braces':
      noteFilledIn(reader)
      found.isPlain = false
      return take(reader, part, writtenAt(reader, part))
    case 'unparsed':
      blockDepth(reader)
      return take(reader, part, filledIn)
  }
}

function readLiteral(reader: LineReader, part: PartOf<'literal'>): void {
  const { word, isQuoted, found, script } = reader
  const written = writtenAt(reader, part)
  if (written === '$' && !isQuoted) stop(found, codes)
  const next = part.start + 1
  const isHome =
    word === undefined && written.startsWith('~') && (next >= script.end || /[/\s]/.test(script.text[next]!))
  take(reader, part, isHome ? found.home + written.slice(1) : written)
}

function readEscape(reader: LineReader, part: PartOf<'escape'>): void {
  if (!writtenAt(reader, part).endsWith('\n')) return take(reader, part, part.value)
  if (reader.isQuoted) return take(reader, part, continuation.inQuotes)
  endWord(reader)
  readContinuation(reader)
}

function readDoubleQuotes(reader: LineReader, part: PartOf<'double-quoted'>): void {
  const { found, script } = reader
  const { start, end, isClosed, isTranslated } = part
  if (isTranslated) stop(found, codes)
  const content = script.text.indexOf('"', start) + 1
  take(reader, { start, end: content }, isTranslated ? translatedSign : '')
  reader.isQuoted = true
  for (const inner of part.parts) readPart(reader, inner)
  reader.isQuoted = false
  if (isClosed) take(reader, { start: end - 1, end }, '')
  else stop(found, 'a quote that is not closed')
}

/** `$((…))`, which the client calculates only if it has no variable. */
function readArithmetic(reader: LineReader, part: PartOf<'arithmetic'>): void {
  const { found, isQuoted } = reader
  const { start, end, opener, content, parts } = part
  if (opener === '$((') {
    if (/[A-Za-z_$`]/.test(content)) stop(found, 'a variable')
    readAllInside(reader, parts)
    return take(reader, part, filledIn)
  }
  if (!isQuoted) stop(found, codes)
  take(reader, { start, end: start + 2 }, opener)
  for (const inner of parts) readPart(reader, inner)
  take(reader, { start: end - 1, end }, ']')
  reader.word!.isPattern ||= !isQuoted
}

/** The commands in what is no command by itself. */
export function readAllInside(reader: LineReader, parts: readonly WordPart[]): void {
  for (const part of parts) {
    if (part.type === 'substitution') {
      stop(reader.found, innerCommand)
      reader.readInside(part.script)
    } else if (part.type === 'unparsed') blockDepth(reader)
    else if ('parts' in part) readAllInside(reader, part.parts)
  }
}

/** The client sees through a command that only prints a text. */
function readSubstitution(reader: LineReader, part: PartOf<'substitution'>): void {
  const isTransparent = reader.isQuoted && part.opener === '$(' && part.isClosed
  const text = isTransparent ? printedText(part.script) : undefined
  if (text === undefined) return takeOutput(reader, part)
  reader.found.isPlain = false
  take(reader, part, text)
}

function takeOutput(reader: LineReader, part: PartOf<'substitution'>): void {
  const { draft, word, found, isQuoted } = reader
  const { text, start, end } = part.script
  if (draft.words[0] !== 'for') noteFilledIn(reader)
  if (!isSetTo(reader)) {
    if (/<<(?!<)/.test(text.slice(start, end))) block(found, innerDocument)
  } else if (isQuoted || !word!.meant.endsWith('=')) block(found, innerCommand)
  // A command that is a whole word only matters if its output is not just stored or iterated over.
  if (isQuoted) stop(found, innerCommand)
  else draft.inner = innerCommand
  found.isPlain = false
  reader.readInside(part.script)
  take(reader, part, filledIn)
}

/** Whether the reader is in the value of a variable. */
function isSetTo({ draft, word }: LineReader): boolean {
  return draft.words.length === 0 && word !== undefined && /^\w+\+?=/.test(word.meant)
}

function readVariable(reader: LineReader, part: PartOf<'variable'>): void {
  const { found, isQuoted } = reader
  const { name } = part
  if (name === 'HOME') return take(reader, part, found.home)
  const value = found.variables.get(name)
  const isUnknown = found.unknown.has(name)
  if (value === undefined) return takeUnknown(reader, part, isUnknown || isSetTo(reader))
  // The shell would split it into words or expand it to file names.
  const isOdd = !isQuoted && /[\s*?[]/.test(value)
  if (isUnknown || isOdd) block(found, 'a variable')
  else stop(found, ownVariable)
  take(reader, part, isOdd ? filledIn : value)
}

/** `${…}`, which the client does not resolve. */
function readParameter(reader: LineReader, part: PartOf<'parameter'>): void {
  const { content, parts } = part
  const name = /^\w+/.exec(content)?.[0] ?? ''
  const isIndirect = /^!\w/.test(content) || /\$\(|`/.test(content)
  takeUnknown(reader, part, reader.found.unknown.has(name) || isIndirect || isSetTo(reader))
  readAllInside(reader, parts)
}

/** A variable whose value only the shell knows. */
function takeUnknown(reader: LineReader, part: WordPart, isOpaque: boolean): void {
  noteFilledIn(reader)
  if (isOpaque) block(reader.found, 'a variable')
  else stop(reader.found, 'a variable')
  take(reader, part, filledIn)
}
