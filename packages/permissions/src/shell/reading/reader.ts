/** A reader that goes through a text from left to right: its place, and what it has of the command it stands in. */

import type { LineState } from '../line-state.ts'
import type { HereDocument } from '../here-document.ts'
import type { Redirection } from '../signs.ts'
import { newDraft, type Draft } from '../simple-command.ts'

/** The word that the reader stands in. */
export interface Word {
  /** Quotes and escapes undone. */
  meant: string
  written: string
  /** Whether it has a wildcard that the shell fills in. */
  isPattern: boolean
}

export interface LineReader {
  readonly text: string
  /** Behind the end where something that is not closed was taken. */
  at: number
  /** How many commands the text stands inside of. */
  readonly depth: number
  /** Of the whole line, also where the text is a part of it. */
  readonly found: LineState
  draft: Draft
  word: Word | undefined
  /** Whether it stands between double quotes. */
  isQuoted: boolean
  /** What the word that comes next is for, where it is none of the command. */
  redirection: Redirection | undefined
  /** Those that were announced and begin with the next line. */
  documents: HereDocument[]
  /** Reads the commands of a text that stands inside of this one. */
  readonly readInside: (inside: string) => void
}

/** Field by field: there is one for every command inside of another, and copying an object takes longer than most texts. */
export const newReader = ({
  text,
  depth,
  found,
  readInside,
}: Pick<LineReader, 'text' | 'depth' | 'found' | 'readInside'>): LineReader => ({
  text,
  depth,
  found,
  readInside,
  at: 0,
  draft: newDraft(),
  word: undefined,
  isQuoted: false,
  redirection: undefined,
  documents: [],
})

/** Adds so many characters to the word. */
export function take(reader: LineReader, length: number, meaning: string): void {
  const { text, at } = reader
  reader.word ??= { meant: '', written: '', isPattern: false }
  reader.word.written += text.slice(at, at + length)
  reader.word.meant += meaning
  reader.at += length
}

/** What the pattern, a sticky one, finds at the very place of the reader. */
export function matchHere({ text, at }: LineReader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** How far the reader looks for the end of what has none of its own, so that a long text takes no long time. */
const farthest = 4000

export const ahead = ({ text, at }: LineReader): string => text.slice(at, at + farthest)

/** The shell fills something in; what it does inside of other commands is theirs. */
export function noteFilledIn({ depth, found }: LineReader): void {
  if (depth === 0) found.isFilledIn = true
}
