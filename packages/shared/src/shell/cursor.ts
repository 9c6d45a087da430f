/** The place of the parser in a text, and how it looks ahead. */

import type { HereDocument, Script } from './syntax.ts'

export interface Cursor {
  readonly text: string
  at: number
  /** Nothing is read from here on, although the text may continue. */
  readonly end: number
  readonly depth: number
  /** Text that is no command by itself: `#` and `<<` have no meaning in it. */
  readonly isFragment: boolean
  /** Announced, and begin after the next newline. */
  documents: HereDocument[]
  /** Of opening brackets, where they are closed. */
  readonly closings: Map<number, number>
  /** Parses commands up to the end, or in a substitution up to its parenthesis, which is consumed. */
  readonly parseScript: (cursor: Cursor, isSubstitution: boolean) => ParsedScript
}

export interface ParsedScript {
  readonly script: Script
  readonly isClosed: boolean
}

/** What is nested deeper is not parsed, so that no text overflows the stack. */
export const maxDepth = 100

export const isAtEnd = ({ at, end }: Cursor): boolean => at >= end

/** The next three characters and where each ends. Like bash, it removes backslashes at the end of a line between them. */
export function peekSigns({ text, at, end }: Cursor): {
  readonly signs: string
  readonly ends: readonly number[]
} {
  const ends: number[] = []
  let signs = ''
  for (let next = at; signs.length < 3 && next < end;) {
    if (signs !== '' && text.startsWith('\\\n', next)) next += 2
    else {
      signs += text[next]!
      next += 1
      ends.push(next)
    }
  }
  return { signs, ends }
}

/** What the pattern, a sticky one, matches here, without what is behind the end. */
export function matchHere({ text, at, end }: Cursor, pattern: RegExp): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].slice(0, end - at) ?? ''
}

/**
 * Where the bracket that ends before `from` is closed; -1 if it is not. One pass finds the closings of all brackets inside it
 * too, so that nested brackets are not searched again and again.
 */
export function closingOf({ text, end, closings }: Cursor, from: number, open: '(' | '['): number {
  const known = closings.get(from)
  if (known !== undefined && known < end) return known
  const close = open === '(' ? ')' : ']'
  const pending = [{ from, close }]
  for (let at = from; at < end; at += 1) {
    const character = text[at]!
    const innermost = pending.at(-1)!
    if (character === '\\') at += 1
    else if (character === innermost.close) {
      closings.set(innermost.from, at)
      pending.pop()
      if (pending.length === 0) return at
    } else if (character === "'") at = indexOrEnd(text, "'", at + 1, end)
    else if (character === '"' || character === '`') at = unescapedIndex(text, character, at + 1, end)
    else if (text.startsWith('${', at)) pending.push({ from: (at += 1) + 1, close: '}' })
    else if (text.startsWith('$(', at)) pending.push({ from: (at += 1) + 1, close: ')' })
    else if (character === open && innermost.close === close) pending.push({ from: at + 1, close })
  }
  for (const { from: unclosed } of pending) closings.set(unclosed, -1)
  return -1
}

export function indexOrEnd(text: string, sign: string, from: number, end: number): number {
  const index = text.indexOf(sign, from)
  return index === -1 || index > end ? end : index
}

/** Of the next such sign with no backslash before it, or the end. */
export function unescapedIndex(text: string, sign: string, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === sign) return at
  }
  return end
}
