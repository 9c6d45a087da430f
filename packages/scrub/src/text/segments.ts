/**
 * Long texts are scrubbed piece by piece. The cuts depend only on the text, so a stream gives the same result as the
 * complete text, however it is split into chunks.
 */

import { ownString } from '@contextd/shared/text/own-string'
import { mergeSpans, type SecretSpan } from './span.ts'

/** Minimum length of a piece before it is cut. */
export const pieceLength = 1_048_576
/** Characters needed after the cut, because a secret that starts before it may extend that far. */
export const lookAhead = 81_920
/** Characters before a piece that are read again: names that its first values may belong to. */
export const lookBack = 4096
/** How far a piece may exceed its length to end at a line break. */
const maxOverrun = 65_536

export interface Piece {
  /** Spans in the piece, with offsets in the given text. */
  readonly spans: readonly SecretSpan[]
  /** Where the piece ends and the next one starts. */
  readonly end: number
}

/**
 * The piece that starts at `from`. `text` must contain at least `pieceLength + lookAhead` characters after `from`, or
 * everything up to the end, and `lookBack` characters before it, or everything from the start.
 */
export function nextPiece(text: string, from: number, find: (text: string) => readonly SecretSpan[]): Piece {
  const start = Math.max(0, from - lookBack)
  const reach = from + pieceLength + lookAhead
  const isLast = reach >= text.length
  if (from === 0 && isLast) return { spans: mergeSpans(find(text)), end: text.length }
  const window = ownString(text.slice(start, reach))
  const spans = mergeSpans(find(window))
    .map((span) => ({ rule: span.rule, start: Math.max(from, span.start + start), end: span.end + start }))
    .filter(({ end }) => end > from)
  const end = isLast ? text.length : cut(text, from + pieceLength, spans)
  const within = spans.filter((span) => span.start < end)
  return {
    spans: within.map((span) => ({ rule: span.rule, start: span.start, end: Math.min(span.end, end) })),
    end,
  }
}

/** The first line break outside of secrets, otherwise the first space, otherwise the first possible offset. */
function cut(text: string, from: number, spans: readonly SecretSpan[]): number {
  const limit = from + maxOverrun
  let firstSpace = 0
  let firstOffset = 0
  let next = spans.findIndex(({ end }) => end > from)
  if (next === -1) next = spans.length
  for (let at = from; at < limit; at++) {
    while (next < spans.length && spans[next]!.end <= at) next++
    if (next < spans.length && spans[next]!.start < at) {
      at = spans[next]!.end - 1
      continue
    }
    const before = text.charCodeAt(at - 1)
    if (before === 10) return at
    if (firstSpace === 0 && (before === 32 || before === 9)) firstSpace = at
    if (firstOffset === 0 && !splitsCharacter(before)) firstOffset = at
  }
  return firstSpace || firstOffset || limit
}

function splitsCharacter(before: number): boolean {
  return before >= 0xd800 && before <= 0xdbff
}
