/** What stands between commands and around them. */

import { block } from '../line-state.ts'
import { isKeyword } from '../simple-command.ts'
import { skipDocuments } from './documents.ts'
import { readCalculation } from './expansions.ts'
import { matchHere, type LineReader } from './reader.ts'
import { endCommand } from './words.ts'

export function readSeparator(reader: LineReader): void {
  const { depth, found } = reader
  const operator = matchHere(reader, /&&|\|\||\|&|[;|\n&]/y)![0]
  if (operator === '&') found.isDetached = true
  if (operator === ';' && found.groups > 0) block(found, 'several commands in parentheses')
  reader.at += operator.length
  endCommand(reader)
  if (depth === 0 && (operator === '|' || operator === '|&')) found.segment += 1
  if (operator === '\n') skipDocuments(reader)
}

export function readOpening(reader: LineReader): void {
  const { text, at, word, draft, found } = reader
  if (text[at + 1] === '(' && word === undefined && draft.words.length === 0) return readCalculation(reader)
  if (word !== undefined || !draft.words.every(isKeyword)) block(found, 'parentheses behind a word')
  endAtParenthesis(reader)
  found.groups += 1
}

export function readClosing(reader: LineReader): void {
  endAtParenthesis(reader)
  reader.found.groups -= 1
  reader.draft.isBehindGroup = true
}

/** What stands in parentheses runs in a shell of its own. */
function endAtParenthesis(reader: LineReader): void {
  const { depth, found } = reader
  found.isDetached = true
  found.isPlain = false
  reader.at += 1
  endCommand(reader)
  if (depth === 0) found.isCompound = true
}
