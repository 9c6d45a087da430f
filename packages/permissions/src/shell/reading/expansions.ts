/** What the shell fills in: variables, results of calculations, and the output of commands inside of others. */

import { block, stop } from '../line-state.ts'
import { quotedDocument } from '../here-document.ts'
import { ownVariable } from '../hindrances.ts'
import { closing } from '../signs.ts'
import { filledIn } from '../simple-command.ts'
import { matchHere, noteFilledIn, take, type LineReader } from './reader.ts'

const innerCommand = 'a command inside a command'

/** At a dollar or a backquote, also between double quotes. */
export function readExpansion(reader: LineReader): void {
  const { text, at, isQuoted } = reader
  const next = text[at + 1] ?? ''
  if (text[at] === '`') readBackquotes(reader)
  else if (text.startsWith('$((', at)) readResult(reader)
  else if (next === '(') readOutput(reader)
  else if (/[A-Za-z_]/.test(next)) readNamedVariable(reader)
  else if (next === '{') readVariableInBraces(reader)
  else if (/[\d?!#@*$-]/.test(next)) takeUnknown(reader, 2, isSetTo(reader))
  else {
    // Such as `$'…'`; between quotes it is a letter.
    if (!isQuoted) stop(reader.found, 'text with codes')
    take(reader, 1, '$')
  }
}

/** `$((…))`, which is only calculated with where no variable is in it. */
function readResult(reader: LineReader): void {
  const { text, at, found } = reader
  const inside = text.slice(at + 3, closing(text, at + 3))
  if (/[A-Za-z_$`]/.test(inside)) stop(found, 'a variable')
  readAllInside(reader, inside)
  take(reader, inside.length + 5, filledIn)
}

/** `((…))` in place of a command. */
export function readCalculation(reader: LineReader): void {
  const { text, at, found } = reader
  const inside = text.slice(at + 2, closing(text, at + 2))
  block(found, 'a calculation')
  readAllInside(reader, inside)
  reader.at += inside.length + 4
}

/** Commands in what is none by itself. */
function readAllInside({ found, readInside }: LineReader, inside: string): void {
  for (const { index, 0: sign } of inside.matchAll(/\$\((?!\()|`/g)) {
    const from = index + sign.length
    const until = sign === '`' ? inside.indexOf('`', from) : closing(inside, from)
    stop(found, innerCommand)
    if (until > from) readInside(inside.slice(from, until))
  }
}

function readBackquotes(reader: LineReader): void {
  const { text, at } = reader
  const end = text.indexOf('`', at + 1)
  takeOutput(reader, 1, end === -1 ? text.length : end)
}

/** `$(…)`; the client sees through one that only gives out a text. */
function readOutput(reader: LineReader): void {
  const document = reader.isQuoted ? matchHere(reader, quotedDocument) : null
  if (document === null) return readCommandInside(reader)
  reader.found.isPlain = false
  take(reader, document[0].length, document.groups!.content!)
}

/** `$(…)`, `<(…)` and `>(…)`. */
export function readCommandInside(reader: LineReader): void {
  takeOutput(reader, 2, closing(reader.text, reader.at + 2))
}

/** Reads the command between a sign of this length and its end, and takes it as a part of the word. */
function takeOutput(reader: LineReader, sign: number, end: number): void {
  const { text, at, draft, word, found, isQuoted } = reader
  const inside = text.slice(at + sign, end)
  if (draft.words[0] !== 'for') noteFilledIn(reader)
  if (!isSetTo(reader)) {
    if (/<<(?!<)/.test(inside)) block(found, 'a here-document inside a command')
  } else if (isQuoted || !word!.meant.endsWith('=')) block(found, innerCommand)
  // What stands alone is in the way only if more than keeping it or going through it is done with it.
  if (isQuoted) stop(found, innerCommand)
  else draft.inner = innerCommand
  found.isPlain = false
  reader.readInside(inside)
  take(reader, end + 1 - at, filledIn)
}

/** Whether the reader stands in what a variable is set to. */
function isSetTo({ draft, word }: LineReader): boolean {
  return draft.words.length === 0 && word !== undefined && /^\w+\+?=/.test(word.meant)
}

function readNamedVariable(reader: LineReader): void {
  const { found, isQuoted } = reader
  const name = matchHere(reader, /\$(\w+)/y)![1]!
  const length = name.length + 1
  if (name === 'HOME') return take(reader, length, found.home)
  const value = found.variables.get(name)
  const isUnknown = found.unknown.has(name)
  if (value === undefined) return takeUnknown(reader, length, isUnknown || isSetTo(reader))
  // The shell would make several words of it, or names of files.
  const isOdd = !isQuoted && /[\s*?[]/.test(value)
  if (isUnknown || isOdd) block(found, 'a variable')
  else stop(found, ownVariable)
  take(reader, length, isOdd ? filledIn : value)
}

/** `${…}`, of which the client works out nothing. */
function readVariableInBraces(reader: LineReader): void {
  const braces = matchHere(reader, /\$\{[^}]*\}?/y)![0]
  const name = /^\$\{(\w+)/.exec(braces)?.[1] ?? ''
  const isIndirect = /^\$\{!\w/.test(braces) || /\$\(|`/.test(braces)
  takeUnknown(reader, braces.length, reader.found.unknown.has(name) || isIndirect || isSetTo(reader))
  readAllInside(reader, braces)
}

/** A variable of which only the shell knows what it is. */
function takeUnknown(reader: LineReader, length: number, isOpaque: boolean): void {
  noteFilledIn(reader)
  if (isOpaque) block(reader.found, 'a variable')
  else stop(reader.found, 'a variable')
  take(reader, length, filledIn)
}
