/** Explains why RE2 rejects a pattern, and where in the pattern. */

import { RE2JS, RE2JSSyntaxException } from 're2js'

export interface PatternRefusal {
  readonly reason: string
  readonly position: number
}

export function explainRefusal(source: string, error: unknown): PatternRefusal {
  if (!(error instanceof RE2JSSyntaxException)) {
    return { reason: error instanceof Error ? error.message : 'cannot be compiled', position: 0 }
  }
  const fragment = error.input ?? ''
  const describe = reasons[error.error] ?? (() => error.error)
  return { reason: describe(fragment), position: locate(source, error.error, fragment) }
}

const trailingBackslash = 'trailing backslash at end of expression'
const missingParenthesis = 'missing closing )'
const unexpectedParenthesis = 'unexpected )'

const noLookAround = 'RE2 does not support lookahead or lookbehind'
const noBackReference = 'RE2 does not support backreferences'

/** By the engine's error text. */
const reasons: Readonly<Record<string, (fragment: string) => string>> = {
  'invalid or unsupported Perl syntax': (fragment) => {
    if (/^\(\?[=!]/.test(fragment)) return noLookAround
    if (fragment === '(?P') return `RE2 supports "(?P" only in (?P<name>…), and no backreferences`
    return `${quoted(fragment)} is not RE2 syntax`
  },
  'invalid named capture': (fragment) =>
    /^\(\?<[=!]/.test(fragment)
      ? noLookAround
      : 'a group name consists of letters, digits and _, followed by >',
  'duplicate capture group name': (fragment) => `two groups have the name ${quoted(fragment)}`,
  'invalid escape sequence': (fragment) =>
    /^\\[1-9k]/.test(fragment) ? noBackReference : `${quoted(fragment)} is not an escape sequence of RE2`,
  'invalid character class range': (fragment) =>
    /^\\p|^\[:/i.test(fragment)
      ? `unknown character class ${quoted(fragment)}`
      : `the range ${quoted(fragment)} is in reverse order`,
  'invalid repeat count': (fragment) =>
    `${quoted(fragment)} is not a valid count: the maximum is 1000, also for the product of nested counts, and the minimum comes first`,
  'invalid nested repetition operator': (fragment) => `${quoted(fragment)} repeats a repetition`,
  'missing argument to repetition operator': (fragment) => `nothing precedes ${quoted(fragment)}`,
  'missing closing ]': () => 'the character class is not closed',
  [missingParenthesis]: () => 'the group is not closed',
  [unexpectedParenthesis]: () => 'unexpected ), no group is open',
  [trailingBackslash]: () => 'the pattern ends in a backslash',
  'expression nests too deeply': () => 'groups are nested more than 1000 levels deep',
  'expression too large': () => 'the pattern is too large',
}

function quoted(fragment: string): string {
  return fragment.length > 30 ? `"${fragment.slice(0, 30)}…"` : `"${fragment}"`
}

/**
 * The engine reports the rejected fragment, not its offset. It parses from left to right, so the shortest prefix of the
 * pattern with the same error ends where the fragment ends.
 */
function locate(source: string, kind: string, fragment: string): number {
  if (kind === trailingBackslash) return source.length - 1
  if (kind === missingParenthesis) return lastOpenGroup(source)
  if (fragment === '') return 0
  // For an unmatched parenthesis the engine reports the whole pattern.
  const named = kind === unexpectedParenthesis ? ')' : fragment
  let accepted = 0
  let refused = source.length
  while (refused - accepted > 1) {
    const middle = (accepted + refused) >> 1
    if (isRefused(source.slice(0, middle), kind, named)) refused = middle
    else accepted = middle
  }
  return source.lastIndexOf(named, refused - named.length)
}

function isRefused(prefix: string, kind: string, named: string): boolean {
  try {
    RE2JS.compile(prefix)
    return false
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException) || error.error !== kind) return false
    return kind === unexpectedParenthesis || error.input === named
  }
}

/** Quoted text, an escape sequence, a whole character class, or a parenthesis. */
const tokens = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|[()]/g

function lastOpenGroup(source: string): number {
  const open: number[] = []
  for (const { 0: token, index } of source.matchAll(tokens)) {
    if (token === '(') open.push(index)
    else if (token === ')') open.pop()
  }
  return open.at(-1) ?? 0
}
