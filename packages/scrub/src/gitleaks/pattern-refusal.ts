/** Says in plain words why RE2 refuses a pattern, and where in the pattern. */

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

const noLookAround = 'RE2 has no look-ahead and look-behind'
const noBackReference = 'RE2 has no back-references'

/** By the words of the engine. */
const reasons: Readonly<Record<string, (fragment: string) => string>> = {
  'invalid or unsupported Perl syntax': (fragment) => {
    if (/^\(\?[=!]/.test(fragment)) return noLookAround
    if (fragment === '(?P') return `RE2 knows "(?P" only in (?P<name>…), and no back-references`
    return `${quoted(fragment)} is unknown to RE2`
  },
  'invalid named capture': (fragment) =>
    /^\(\?<[=!]/.test(fragment) ? noLookAround : 'the name of a group has only letters, digits and _, then >',
  'duplicate capture group name': (fragment) => `two groups have the name ${quoted(fragment)}`,
  'invalid escape sequence': (fragment) =>
    /^\\[1-9k]/.test(fragment) ? noBackReference : `${quoted(fragment)} is no escape of RE2`,
  'invalid character class range': (fragment) =>
    /^\\p|^\[:/i.test(fragment)
      ? `there is no character class ${quoted(fragment)}`
      : `the range ${quoted(fragment)} runs backwards`,
  'invalid repeat count': (fragment) =>
    `${quoted(fragment)} is no count: at most 1000, also when nested counts are multiplied, and the smaller one first`,
  'invalid nested repetition operator': (fragment) => `${quoted(fragment)} repeats a repetition`,
  'missing argument to repetition operator': (fragment) => `nothing stands before ${quoted(fragment)}`,
  'missing closing ]': () => 'the character class is not closed',
  [missingParenthesis]: () => 'the group is not closed',
  [unexpectedParenthesis]: () => 'no group is open here',
  [trailingBackslash]: () => 'the pattern ends in a backslash',
  'expression nests too deeply': () => 'groups are nested deeper than 1000 levels',
  'expression too large': () => 'the pattern is too large',
}

function quoted(fragment: string): string {
  return fragment.length > 30 ? `"${fragment.slice(0, 30)}…"` : `"${fragment}"`
}

/**
 * The engine names the refused fragment, not its place. It reads from left to right, so the shortest beginning of the
 * pattern that is refused in the same words ends where the fragment ends.
 */
function locate(source: string, kind: string, fragment: string): number {
  if (kind === trailingBackslash) return source.length - 1
  if (kind === missingParenthesis) return lastOpenGroup(source)
  if (fragment === '') return 0
  // Of a parenthesis too many the engine names the whole pattern.
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

function isRefused(beginning: string, kind: string, named: string): boolean {
  try {
    RE2JS.compile(beginning)
    return false
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException) || error.error !== kind) return false
    return kind === unexpectedParenthesis || error.input === named
  }
}

/** Quoted text, an escape, a whole character class, or a parenthesis. */
const tokens = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|[()]/g

function lastOpenGroup(source: string): number {
  const open: number[] = []
  for (const { 0: token, index } of source.matchAll(tokens)) {
    if (token === '(') open.push(index)
    else if (token === ')') open.pop()
  }
  return open.at(-1) ?? 0
}
