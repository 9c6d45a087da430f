/** The line of a finding as a report shows it: without a secret in it, its own or another, and not too long. */

import { tokenPattern } from '../../tokens/session-tokens.ts'
import { settle } from '../../text/settle.ts'
import type { SecretSpan } from '../../text/span.ts'

/** Looks like a token, so that whoever finds secrets leaves it alone. */
const mask = '[SECRET_0]'
/** Shown on either side of the secret. */
const around = 80

/**
 * `hidden` is in order and without overlaps. What is left of the line is looked through by `find` once more: a masked
 * secret can bring out its neighbour.
 */
export function shownLine(
  text: string,
  secret: SecretSpan,
  hidden: readonly SecretSpan[],
  find: (text: string) => readonly SecretSpan[],
): string {
  let from = secret.start
  while (from > 0 && from > secret.start - around && !isBorder(text[from - 1])) from--
  let to = secret.end
  while (to < text.length && to < secret.end + around && !isBorder(text[to])) to++
  const startsEarlier = from > 0 && !isBorder(text[from - 1])
  const goesOn = to < text.length && !isBorder(text[to])
  const masked = overlapping(hidden, from, to)
  const line = visible(withMasks(text, from, to, masked)).trim()
  const rest = withMasks(line, 0, line.length, whatIsLeft(line, find))
  const shown = rest.replace(tokenPattern, '[SECRET]')
  return `${startsEarlier ? '…' : ''}${shown}${goesOn ? '…' : ''}`
}

/** The whole line where it was made so that something comes out of it again and again. */
function whatIsLeft(line: string, find: (text: string) => readonly SecretSpan[]): readonly SecretSpan[] {
  try {
    return settle(line, find)
  } catch {
    return [{ rule: '', start: 0, end: line.length }]
  }
}

/** One that reaches beyond the stretch is masked too: a part of it would show. */
function withMasks(text: string, from: number, to: number, masked: readonly SecretSpan[]): string {
  let shown = ''
  let at = from
  for (const { start, end } of masked) {
    shown += text.slice(at, Math.max(at, start)) + mask
    at = end
  }
  return shown + text.slice(at, Math.max(at, to))
}

/** Between lines, and between the strings of a binary. */
function isBorder(character: string | undefined): boolean {
  return character === '\n' || character === '\u001E'
}

/** One line, whatever it holds. */
function visible(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').toWellFormed()
}

function overlapping(spans: readonly SecretSpan[], from: number, to: number): SecretSpan[] {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.end <= from) low = middle + 1
    else high = middle
  }
  const found: SecretSpan[] = []
  for (let at = low; at < spans.length && spans[at]!.start < to; at++) found.push(spans[at]!)
  return found
}
