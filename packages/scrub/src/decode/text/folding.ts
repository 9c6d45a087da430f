import { contentStart } from './line-prefix.ts'
import {
  alphanumericBits,
  classBits,
  lineStart,
  skipBlanks,
  skipLineBreak,
  type DecodeSource,
} from './source.ts'

/** The pieces of a folded run, in order. */
export interface Pieces {
  readonly starts: number[]
  readonly ends: number[]
}

/** Minimum length of folded lines that were joined with spaces (64 and 76 for base64, 60 for hex). */
const minLengthOnOneLine = 56
/** Minimum length of the second piece in that case, to exclude words. */
const minFirstLineLength = 16

/**
 * The run at [start, end) and its continuation lines, as folded by encoders, mail clients and editors: after indentation,
 * quote marks, diff markers or line numbers, in separate string literals, or separated by an escaped `\n`. A line longer
 * than the previous one is not a continuation, unless the run started inside a line. Ends after `maxCharacters`.
 */
export function foldedRun(
  source: DecodeSource,
  start: number,
  end: number,
  member: number,
  maxCharacters: number,
): Pieces {
  const { bytes } = source
  const pieces: Pieces = { starts: [start], ends: [end] }
  let firstLine = -1
  let width = end - start
  let at = end
  for (let characters = width; characters < maxCharacters; characters += width) {
    const next = continuationAt(bytes, at, width, () => {
      if (firstLine < 0) firstLine = lineStart(bytes, start)
      return firstLine
    })
    let stop = next
    while (next >= 0 && (classBits[bytes[stop]!]! & member) !== 0) stop++
    const isFirst = pieces.starts.length === 1
    const isContinuation = isOnSameLine(bytes, at)
      ? stop - next <= width && (!isFirst || stop - next >= minFirstLineLength)
      : (stop - next <= width || isFirst) &&
        fillsLine(bytes, stop) &&
        (bytes[at] === 0x5c || !isWord(source.text.slice(next, stop)))
    if (stop === next || !isContinuation) return pieces
    pieces.starts.push(next)
    pieces.ends.push(stop)
    width = stop - next
    at = stop
  }
  return pieces
}

/** A few letters only: text after the run. */
function isWord(piece: string): boolean {
  return piece.length > 2 && piece.length < 12 && /^[A-Za-z][a-z]*$/.test(piece)
}

function isOnSameLine(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x20 && (classBits[bytes[at + 1]!]! & alphanumericBits) !== 0
}

/** Where the run continues after a piece that ends at this offset, or -1. */
function continuationAt(bytes: Uint8Array, at: number, length: number, firstLine: () => number): number {
  if (bytes[at] === 0x5c) return afterEscapedBreak(bytes, at)
  if (isOnSameLine(bytes, at)) return length >= minLengthOnOneLine && length % 4 === 0 ? at + 1 : -1
  let end = at
  const quote = bytes[at]
  const isQuoted = quote === 0x22 || quote === 0x27
  if (isQuoted) {
    end = skipBlanks(bytes, at + 1)
    // `+`, `.` or a backslash continues a string on the next line.
    if (bytes[end] === 0x2b || bytes[end] === 0x2e || bytes[end] === 0x5c) end++
  }
  end = skipBlanks(bytes, end)
  const line = skipLineBreak(bytes, end)
  if (line === end) return -1
  const content = contentStart(bytes, firstLine(), line)
  if (!isQuoted) return content
  return bytes[content] === quote ? content + 1 : -1
}

/** Whether a piece is not followed by further text on its line: the first word of a sentence is not a piece. */
function fillsLine(bytes: Uint8Array, end: number): boolean {
  const byte = bytes[end]!
  if (byte === 0x2e || byte === 0x3a || byte === 0x28) return false
  const next = skipBlanks(bytes, end)
  return next === end || bytes[next] === 0 || skipLineBreak(bytes, next) > next
}

/** The offset after an escaped `\n` or `\r\n`, with any number of backslashes, or -1. */
function afterEscapedBreak(bytes: Uint8Array, at: number): number {
  const first = skipBackslashes(bytes, at)
  if (bytes[first] === 0x6e) return first + 1
  if (bytes[first] !== 0x72 || bytes[first + 1] !== 0x5c) return -1
  const second = skipBackslashes(bytes, first + 1)
  return bytes[second] === 0x6e ? second + 1 : -1
}

function skipBackslashes(bytes: Uint8Array, at: number): number {
  let i = at
  while (i < at + 8 && bytes[i] === 0x5c) i++
  return i
}
