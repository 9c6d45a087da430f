/**
 * A shell command as clients look at it before they ask their rules: the simple commands it is made of, and what keeps
 * Claude Code from telling what would run. The syntax is that of `parseShell`; where the client reads a text differently, the
 * difference is listed in `deviations.ts`. Pure.
 */

import { parseShell } from '@contextd/shared/shell/parse-shell'
import type { Script, ShellToken } from '@contextd/shared/shell/syntax'
import { asLine, block, newLineState, type LineState, type ShellLine } from './line-state.ts'
import { announceDocument, readBody } from './documents.ts'
import { isBlind } from './deviations.ts'
import { newReader, tooDeep, type LineReader } from './reader.ts'
import { readWord } from './parts.ts'
import { readCalculation, readClosing, readOpening, readRedirection, readSeparator } from './operators.ts'
import { endCommand, readBlank, readContinuation } from './words.ts'

export type { ShellLine } from './line-state.ts'
export { ownVariable } from './hindrances.ts'
export type { ShellCommand } from './simple-command.ts'

const maxDepth = 8
/** Longer texts are not parsed. */
const maxLength = 20_000

export function readShellLine(text: string, home: string): ShellLine {
  const found = newLineState(text, home)
  if (text.length <= maxLength) readScript(parseShell(text), found, 0)
  return asLine(text, found)
}

function readScript(script: Script, found: LineState, depth: number): void {
  if (depth > maxDepth) {
    block(found, tooDeep)
    return
  }
  const readInside = (inner: Script): void => {
    // Its parentheses and pipes are separate from those around it.
    const { groups, segment } = found
    found.groups = 0
    readScript(inner, found, depth + 1)
    Object.assign(found, { groups, segment })
  }
  const reader = newReader({ script, found, depth, readInside })
  for (const token of script.tokens) {
    if (isBlind(reader)) break
    readToken(reader, token)
  }
  endCommand(reader)
}

function readToken(reader: LineReader, token: ShellToken): void {
  switch (token.type) {
    case 'word':
      return readWord(reader, token)
    case 'blank':
      return readBlank(reader, token)
    case 'continuation':
      return readContinuation(reader)
    case 'separator':
      return readSeparator(reader, token)
    case 'opening':
      return readOpening(reader, token)
    case 'closing':
      return readClosing(reader)
    case 'redirection':
      return readRedirection(reader, token)
    case 'here-document':
      return announceDocument(reader, token)
    case 'document-body':
      return readBody(reader, token)
    case 'calculation':
      return readCalculation(reader, token)
    case 'comment':
      return undefined
  }
}
