/** Finds tokens in a tool input, in plain text and in JSON strings. Pure. */

import { tokenPattern } from '@contextd/scrub/internal/secret-token'
import { stringAt, type StringNode } from './json-spans.ts'

export interface TokenSpan {
  readonly token: string
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** Its offset in the decoded text, that is, in a JSON string without escapes. */
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
 * A token as JSON may write it, with each character plain or escaped. Any other escape is matched completely, so that
 * the second backslash of `\\` never starts one.
 */
const writtenToken =
  /((?:\[|\\u005[bB])(?:S|\\u0053)(?:E|\\u0045)(?:C|\\u0043)(?:R|\\u0052)(?:E|\\u0045)(?:T|\\u0054)(?:_|\\u005[fF])(?:\d|\\u003\d){1,9}(?:\]|\\u005[dD]))|\\[^]/g

/** Offsets refer to the JSON text, except for `at`. */
export function tokensInString(json: string, node: StringNode): TokenSpan[] {
  const decoded = tokensInText(stringAt(json, node))
  if (decoded.length === 0) return []
  const written = Array.from(json.slice(node.start, node.end).matchAll(writtenToken)).filter(
    ([, token]) => token !== undefined,
  )
  if (written.length !== decoded.length)
    throw new Error('the tokens of a JSON string do not match its source')
  return written.map(({ 0: text, index }, order) => ({
    token: decoded[order]!.token,
    start: node.start + index,
    end: node.start + index + text.length,
    at: decoded[order]!.at,
  }))
}

/** The form of a value inside a JSON string. */
export function writtenInString(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}
