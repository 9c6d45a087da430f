/** The line of a finding as a report shows it: shortened, with all secrets masked. */

import { partitionPoint } from '@contextd/shared/text/partition-point'
import { tokenPattern } from '../../tokens/session-tokens.ts'
import { settle } from '../../text/settle.ts'
import type { SecretSpan } from '../../text/span.ts'

/** Looks like a token, so that detection skips it. */
const mask = '[SECRET_0]'
/** Characters shown on either side of the secret. */
const contextLength = 80

/**
 * `hidden` is sorted and has no overlaps. The masked line is searched again with `find`, because masking a secret can
 * expose its neighbour.
 */
export function shownLine(
  text: string,
  secret: SecretSpan,
  hidden: readonly SecretSpan[],
  find: (text: string) => readonly SecretSpan[],
): string {
  let from = secret.start
  while (from > 0 && from > secret.start - contextLength && !isSeparator(text[from - 1])) from--
  let to = secret.end
  while (to < text.length && to < secret.end + contextLength && !isSeparator(text[to])) to++
  const startsEarlier = from > 0 && !isSeparator(text[from - 1])
  const continuesLater = to < text.length && !isSeparator(text[to])
  const masked = overlapping(hidden, from, to)
  const line = visible(withMasks(text, from, to, masked)).trim()
  const rest = withMasks(line, 0, line.length, exposedByMasking(line, find))
  const shown = rest.replace(tokenPattern, '[SECRET]')
  return `${startsEarlier ? '…' : ''}${shown}${continuesLater ? '…' : ''}`
}

/** Masks the whole line if it is crafted so that masking keeps exposing more. */
function exposedByMasking(
  line: string,
  find: (text: string) => readonly SecretSpan[],
): readonly SecretSpan[] {
  try {
    return settle(line, find)
  } catch {
    return [{ rule: '', start: 0, end: line.length }]
  }
}

/** A span that crosses the boundary is masked completely, so that no part of it shows. */
function withMasks(text: string, from: number, to: number, masked: readonly SecretSpan[]): string {
  let shown = ''
  let at = from
  for (const { start, end } of masked) {
    shown += text.slice(at, Math.max(at, start)) + mask
    at = end
  }
  return shown + text.slice(at, Math.max(at, to))
}

/** Separates lines, and the strings of a binary. */
function isSeparator(character: string | undefined): boolean {
  return character === '\n' || character === '\u001E'
}

/** As one line of visible characters. */
function visible(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').toWellFormed()
}

function overlapping(spans: readonly SecretSpan[], from: number, to: number): SecretSpan[] {
  const found: SecretSpan[] = []
  const first = partitionPoint(spans.length, (at) => spans[at]!.end <= from)
  for (let at = first; at < spans.length && spans[at]!.start < to; at++) found.push(spans[at]!)
  return found
}
