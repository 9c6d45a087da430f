/** A reader that walks through a script: what it knows of the command it is in. */

import type { Script } from '@contextd/shared/shell/syntax'
import { block, type LineState } from './line-state.ts'
import { newDraft, type Draft } from './simple-command.ts'

/** The word that is being read. */
export interface Word {
  /** Quotes and escapes resolved. */
  meant: string
  written: string
  /** Whether it has a wildcard that the shell expands. */
  isPattern: boolean
}

export type Redirection = 'read' | 'write' | 'copy' | 'text'

export interface LineReader {
  readonly script: Script
  /** How many commands the script is inside of. */
  readonly depth: number
  /** Of the whole line, also if the script is a part of it. */
  readonly found: LineState
  draft: Draft
  word: Word | undefined
  /** Where the last word ended. */
  wordEnd: number
  /** Whether it is between double quotes. */
  isQuoted: boolean
  /** What the next word is for, if it is none of the command. */
  redirection: Redirection | undefined
  /** How many here-documents begin with the next line, and how many began with this one. */
  announced: number
  begun: number
  /** Reads the commands of a script inside this one. */
  readonly readInside: (script: Script) => void
}

/** Field by field: each command inside another has its own, and copying an object takes longer than most texts. */
export const newReader = ({
  script,
  depth,
  found,
  readInside,
}: Pick<LineReader, 'script' | 'depth' | 'found' | 'readInside'>): LineReader => ({
  script,
  depth,
  found,
  readInside,
  draft: newDraft(),
  word: undefined,
  wordEnd: -1,
  isQuoted: false,
  redirection: undefined,
  announced: 0,
  begun: 0,
})

interface Span {
  readonly start: number
  readonly end: number
}

export const writtenAt = ({ script }: LineReader, { start, end }: Span): string =>
  script.text.slice(start, end)

/** Adds this part of the text to the word. */
export function take(reader: LineReader, span: Span, meaning: string): void {
  reader.word ??= { meant: '', written: '', isPattern: false }
  reader.word.written += writtenAt(reader, span)
  reader.word.meant += meaning
}

/** The shell expands something; expansions inside other commands belong to those. */
export function noteFilledIn({ depth, found }: LineReader): void {
  if (depth === 0) found.isFilledIn = true
}

export const tooDeep = 'a command that deep inside others'

export const blockDepth = ({ found }: LineReader): void => block(found, tooDeep)
