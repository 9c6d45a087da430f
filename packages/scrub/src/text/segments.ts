/**
 * Long texts are scrubbed piece by piece, and where they are cut depends on nothing but the text. A stream that arrives
 * in any chunks is therefore cut in the same places as the whole, and comes out the same.
 */

import { ownString } from '@contextd/shared/text/own-string'
import { mergeSpans, type SecretSpan } from './span.ts'

/** Cut once a piece has this length. */
export const pieceLength = 1_048_576
/** What must be known beyond the cut, because a secret that begins before it may reach that far. */
export const lookAhead = 81_920
/** What is read again before a piece: names and words that speak for its first values. */
export const lookBack = 4096
/** How far beyond its length a piece may go to end at a line break. */
const searchForLine = 65_536

export interface Piece {
  /** Spans in the piece, offsets in the text given. */
  readonly spans: readonly SecretSpan[]
  /** Where it ends and the next begins. */
  readonly end: number
}

/**
 * The piece that begins at `from`. `text` reaches at least `pieceLength + lookAhead` beyond `from`, or to the end, and as
 * far back as `lookBack` or to the beginning.
 */
export function nextPiece(text: string, from: number, find: (text: string) => readonly SecretSpan[]): Piece {
  const start = Math.max(0, from - lookBack)
  const reach = from + pieceLength + lookAhead
  const last = reach >= text.length
  if (from === 0 && last) return { spans: mergeSpans(find(text)), end: text.length }
  const window = ownString(text.slice(start, reach))
  const spans = mergeSpans(find(window))
    .map((span) => ({ rule: span.rule, start: Math.max(from, span.start + start), end: span.end + start }))
    .filter(({ end }) => end > from)
  const end = last ? text.length : cut(text, from + pieceLength, spans)
  const within = spans.filter((span) => span.start < end)
  return {
    spans: within.map((span) => ({ rule: span.rule, start: span.start, end: Math.min(span.end, end) })),
    end,
  }
}

/** The first line break in no secret; failing that, the first space; failing that, the first place at all. */
function cut(text: string, from: number, spans: readonly SecretSpan[]): number {
  const most = from + searchForLine
  let firstSpace = 0
  let firstPlace = 0
  let next = spans.findIndex(({ end }) => end > from)
  if (next === -1) next = spans.length
  for (let at = from; at < most; at++) {
    while (next < spans.length && spans[next]!.end <= at) next++
    if (next < spans.length && spans[next]!.start < at) {
      at = spans[next]!.end - 1
      continue
    }
    const before = text.charCodeAt(at - 1)
    if (before === 10) return at
    if (firstSpace === 0 && (before === 32 || before === 9)) firstSpace = at
    if (firstPlace === 0 && !splitsCharacter(before)) firstPlace = at
  }
  return firstSpace || firstPlace || most
}

function splitsCharacter(before: number): boolean {
  return before >= 0xd800 && before <= 0xdbff
}
