/** Where tokens are in the input of a tool, in plain text and in the text of JSON strings. Pure. */

import { tokenPattern } from '@contextd/scrub/internal/secret-token'
import { stringAt, type StringNode } from './json-spans.ts'

export interface TokenSpan {
  readonly token: string
  readonly start: number
  /** Behind its last character. */
  readonly end: number
  /** Where it begins in the text that is meant: for a JSON string, the string without its escapes. */
  readonly at: number
}

export function tokensInText(text: string): TokenSpan[] {
  return Array.from(text.matchAll(tokenPattern), ({ 0: token, index }) => ({
    token,
    start: index,
    end: index + token.length,
    at: index,
  }))
}

/**
 * A token as JSON may write it, each character plain or as an escape. Any other escape is matched whole, so that the
 * second backslash of `\\` never begins one.
 */
const writtenToken =
  /((?:\[|\\u005[bB])(?:S|\\u0053)(?:E|\\u0045)(?:C|\\u0043)(?:R|\\u0052)(?:E|\\u0045)(?:T|\\u0054)(?:_|\\u005[fF])(?:\d|\\u003\d){1,9}(?:\]|\\u005[dD]))|\\[^]/g

/** Offsets are those of the JSON text, except for `at`. */
export function tokensInString(json: string, node: StringNode): TokenSpan[] {
  const meant = tokensInText(stringAt(json, node))
  if (meant.length === 0) return []
  const written = Array.from(json.slice(node.start, node.end).matchAll(writtenToken)).filter(
    ([, token]) => token !== undefined,
  )
  if (written.length !== meant.length)
    throw new Error('the tokens of a JSON string are not where they should be')
  return written.map(({ 0: text, index }, order) => ({
    token: meant[order]!.token,
    start: node.start + index,
    end: node.start + index + text.length,
    at: meant[order]!.at,
  }))
}

/** A value as a part of a JSON string. */
export function writtenInString(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}
