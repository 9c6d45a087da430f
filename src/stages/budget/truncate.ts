import type { CountTokens } from '../../core/ports.ts'
import { borderAfter, borderBefore } from './text-border.ts'

export type Keep = 'head' | 'head-and-tail'

export interface TruncateOptions {
  readonly keep: Keep
  readonly count: CountTokens
  /** Shown in the marker as the place to continue reading, unless that is shown elsewhere. */
  readonly ref?: string
}

/** The missing part, in UTF-16 units of the original. */
export interface Cut {
  readonly fromChar: number
  readonly toChar: number
  /** Approximate number. */
  readonly tokens: number
  readonly lines: number
}

export interface Truncated {
  readonly text: string
  readonly truncated: boolean
  readonly cut?: Cut
}

/**
 * Shortens a text to at most `maxTokens`, with a marker that describes what was cut. Pure, and linear in the length
 * of the result.
 */
export function truncateText(
  text: string,
  maxTokens: number,
  { keep, count, ref }: TruncateOptions,
): Truncated {
  if (prefixWithin(text, maxTokens, count) === text.length) return { text, truncated: false }

  const markerOnly = compose(text, cutOf(text, 0, text.length, count), ref)
  // The marker with the longest possible numbers, and line feeds on both sides.
  const markerTokens = count(`\n${marker(text, { ...markerOnly.cut, fromChar: text.length }, ref)}\n`)
  for (let room = maxTokens - markerTokens; room > 0;) {
    const headTokens = keep === 'head' ? room : Math.ceil(room / 2)
    const fromChar = headWithin(text, headTokens, count)
    const toChar =
      keep === 'head' ? text.length : Math.max(fromChar, tailWithin(text, room - headTokens, count))
    const shortened = compose(text, cutOf(text, fromChar, toChar, count), ref)
    const excess = count(shortened.text) - maxTokens
    if (excess <= 0) return shortened
    // Combined parts can cost slightly more than the sum of each.
    room -= excess
  }
  return count(markerOnly.text) <= maxTokens ? markerOnly : { ...markerOnly, text: '' }
}

/** The tokens of a text, or `max + 1` if it has more; examines no more text than needed. */
export function countUpTo(text: string, max: number, count: CountTokens): number {
  for (let size = 8 * max + 64; size < text.length; size *= 4) {
    if (count(text.slice(0, size)) > max) return max + 1
  }
  return Math.min(count(text), max + 1)
}

/** The end of the longest prefix with at most `maxTokens`, moved back to a good cut position. */
export function headWithin(text: string, maxTokens: number, count: CountTokens): number {
  const end = prefixWithin(text, maxTokens, count)
  return borderBefore(text, end, end - Math.floor(end / 4))
}

function tailWithin(text: string, maxTokens: number, count: CountTokens): number {
  const length = longestWithin(text.length, maxTokens, (size) => count(text.slice(text.length - size)))
  const start = text.length - length
  return borderAfter(text, start, start + Math.floor(length / 4))
}

function prefixWithin(text: string, maxTokens: number, count: CountTokens): number {
  return longestWithin(text.length, maxTokens, (size) => count(text.slice(0, size)))
}

/**
 * The largest size, to within a few tokens, whose count is at most `maxTokens`. Counts only a few pieces of about
 * that size, however long the text is, because a counter cannot stop early.
 */
function longestWithin(fullSize: number, maxTokens: number, countOf: (size: number) => number): number {
  let fits = { size: 0, tokens: 0 }
  let tooLong: { size: number; tokens: number } | undefined
  let guess = maxTokens * 4
  for (let round = 0; round < 40; round += 1) {
    const max = tooLong === undefined ? fullSize : tooLong.size - 1
    if (fits.size >= max) break
    const size = Math.max(fits.size + 1, Math.min(Math.round(guess), max))
    const attempt = { size, tokens: countOf(size) }
    if (attempt.tokens > maxTokens) tooLong = attempt
    else fits = attempt
    if (tooLong === undefined) guess = fits.size * 2
    else if (maxTokens - fits.tokens <= maxTokens >> 6) break
    // Linear interpolation, with bisection every third round in case one bound never moves.
    else if (round % 3 === 2) guess = (fits.size + tooLong.size) / 2
    else {
      const share = (maxTokens - fits.tokens) / (tooLong.tokens - fits.tokens)
      guess = fits.size + (tooLong.size - fits.size) * share
    }
  }
  return fits.size
}

function cutOf(text: string, fromChar: number, toChar: number, count: CountTokens): Cut {
  return {
    fromChar,
    toChar,
    tokens: tokensAbout(text, fromChar, toChar, count),
    lines: linesIn(text, fromChar, toChar),
  }
}

function compose(text: string, cut: Cut, ref: string | undefined): Truncated & { readonly cut: Cut } {
  const head = text.slice(0, cut.fromChar)
  const tail = text.slice(cut.toChar)
  const before = head === '' || head.endsWith('\n') ? '' : '\n'
  const after = tail === '' ? '' : '\n'
  return { text: `${head}${before}${marker(text, cut, ref)}${after}${tail}`, truncated: true, cut }
}

function marker(text: string, { fromChar, tokens, lines }: Cut, ref: string | undefined): string {
  const where =
    ref === undefined ? '' : `; read_more ${ref} offset ${Buffer.byteLength(text.slice(0, fromChar))}`
  return `[… ${lines > 1 ? `${grouped(lines)} lines, ` : ''}about ${grouped(tokens)} tokens cut${where}]`
}

/** `1,234,567` */
function grouped(number: number): string {
  return number.toLocaleString('en-US')
}

/**
 * Long parts are counted at their start and extrapolated: the number is approximate, and counting should not cost
 * more than the call.
 */
const maxCountedChars = 16_384

function tokensAbout(text: string, from: number, to: number, count: CountTokens): number {
  const counted = Math.min(to, from + maxCountedChars)
  if (counted === from) return 0
  return Math.round((count(text.slice(from, counted)) * (to - from)) / (counted - from))
}

function linesIn(text: string, from: number, to: number): number {
  let lines = text.charAt(to - 1) === '\n' || to === from ? 0 : 1
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
