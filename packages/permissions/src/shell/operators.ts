/** Operators: what separates and groups commands, and redirections. */

import type { TokenOf } from '@contextd/shared/shell/syntax'
import { block } from './line-state.ts'
import { isKeyword } from './simple-command.ts'
import { readAllInside } from './parts.ts'
import type { LineReader, Redirection } from './reader.ts'
import { endCommand } from './words.ts'

const calculation = 'a calculation'

export function readSeparator(reader: LineReader, { operator }: TokenOf<'separator'>): void {
  const { depth, found } = reader
  if (/^;{0,2}&$/.test(operator)) found.isDetached = true
  if (operator.startsWith(';') && found.groups > 0) block(found, 'several commands in parentheses')
  endCommand(reader)
  if (depth === 0 && (operator === '|' || operator === '|&')) found.segment += 1
  if (operator !== '\n') return
  if (reader.announced > 1) block(found, 'several here-documents')
  reader.begun = reader.announced
  reader.announced = 0
}

export function readOpening(reader: LineReader, { start }: TokenOf<'opening'>): void {
  const { wordEnd, draft, found, script } = reader
  // Not closed as a calculation, which the client does not distinguish.
  if (script.text.startsWith('((', start) && draft.words.length === 0) block(found, calculation)
  if (wordEnd === start || !draft.words.every(isKeyword)) block(found, 'parentheses behind a word')
  endAtParenthesis(reader)
  found.groups += 1
}

export function readClosing(reader: LineReader): void {
  endAtParenthesis(reader)
  reader.found.groups -= 1
  reader.draft.isBehindGroup = true
}

/** Commands in parentheses run in a subshell. */
function endAtParenthesis(reader: LineReader): void {
  const { depth, found } = reader
  found.isDetached = true
  found.isPlain = false
  endCommand(reader)
  if (depth === 0) found.isCompound = true
}

/** `((…))` in the place of a command. */
export function readCalculation(reader: LineReader, { parts }: TokenOf<'calculation'>): void {
  block(reader.found, calculation)
  readAllInside(reader, parts)
}

/** Its target is the next word. */
export function readRedirection(reader: LineReader, { operator, stream }: TokenOf<'redirection'>): void {
  const { draft, found } = reader
  draft.whole += stream + operator
  if (operator === '<>') block(found, 'a file that is read and written')
  reader.redirection = redirectionOf(operator)
}

function redirectionOf(operator: string): Redirection {
  if (operator === '<<<') return 'text'
  if (operator.endsWith('&')) return 'copy'
  return operator.startsWith('<') ? 'read' : 'write'
}
