/**
 * A shell command as clients look at it before they ask their rules: the simple commands it is made of, and what keeps
 * Claude Code from telling what would run. Pure.
 */

import { asLine, newLineState, type LineState, type ShellLine } from './line-state.ts'
import { readExpansion } from './reading/expansions.ts'
import { readBackslash, readDoubleQuotes, readSingleQuotes } from './reading/quotes.ts'
import { newReader, type LineReader } from './reading/reader.ts'
import { readAngle, readRedirection } from './reading/redirections.ts'
import { readClosing, readOpening, readSeparator } from './reading/separators.ts'
import { endCommand, readBlank, readBrace, readHash, readLetter, readWildcard } from './reading/words.ts'

export type { ShellLine } from './line-state.ts'
export { ownVariable } from './hindrances.ts'
export type { ShellCommand } from './simple-command.ts'

const deepest = 8
/** What is read here, so that a long text takes no long time. */
const longest = 20_000

export function readShellLine(text: string, home: string): ShellLine {
  const found = newLineState(text, home)
  if (text.length <= longest) readCommands(text, found, 0)
  return asLine(text, found)
}

function readCommands(text: string, found: LineState, depth: number): void {
  if (depth > deepest) {
    found.opaque ??= found.obstacle ??= 'a command that deep inside others'
    return
  }
  const readInside = (inside: string): void => {
    // Parentheses and pipes around it are not its own, nor are its own theirs.
    const { groups, segment } = found
    found.groups = 0
    readCommands(inside, found, depth + 1)
    Object.assign(found, { groups, segment })
  }
  const reader = newReader({ text, found, depth, readInside })
  while (reader.at < text.length) readerOf(reader)(reader)
  endCommand(reader)
}

/** By the sign that something begins with. */
const readers: ReadonlyMap<string, (reader: LineReader) => void> = new Map([
  ['\\', readBackslash],
  ["'", readSingleQuotes],
  ['"', readDoubleQuotes],
  ['$', readExpansion],
  ['`', readExpansion],
  ['#', readHash],
  ['<', readAngle],
  ['>', readAngle],
  ['&', readSeparator],
  ['&>', readRedirection],
  ['|', readSeparator],
  [';', readSeparator],
  ['\n', readSeparator],
  ['(', readOpening],
  [')', readClosing],
  [' ', readBlank],
  ['\t', readBlank],
  ['{', readBrace],
  ['*', readWildcard],
  ['?', readWildcard],
  ['[', readWildcard],
])

function readerOf({ text, at }: LineReader): (reader: LineReader) => void {
  const sign = text.startsWith('&>', at) ? '&>' : text[at]!
  return readers.get(sign) ?? readLetter
}
