import { contentStart } from './line-prefix.ts'
import {
  alphanumericBits,
  classBits,
  lineStart,
  skipBlanks,
  skipLineBreak,
  type DecodeSource,
} from './source.ts'

/** The stretches that an encoded run was folded into, in order. */
export interface Pieces {
  readonly starts: number[]
  readonly ends: number[]
}

/** Lines of encoders that are put on one line keep this length at least (`base64 -w 64`, MIME's 76, hex's 60). */
const minLengthOnOneLine = 56
/** What follows them is more than a word. */
const minFirstLineLength = 16

/**
 * The run at [start, end) and the lines it goes on in, as encoders, mail and editors fold them: behind indentation,
 * quote marks, diff signs or line numbers, in quotes of their own, or joined by a written `\n`. A line longer than the
 * one before it begins something else, unless that one began in the middle of a line. Ends after `most` characters.
 */
export function foldedRun(
  source: DecodeSource,
  start: number,
  end: number,
  member: number,
  most: number,
): Pieces {
  const { bytes } = source
  const pieces: Pieces = { starts: [start], ends: [end] }
  let firstLine = -1
  let width = end - start
  let at = end
  for (let characters = width; characters < most; characters += width) {
    const next = nextPiece(bytes, at, width, () => {
      if (firstLine < 0) firstLine = lineStart(bytes, start)
      return firstLine
    })
    let stop = next
    while (next >= 0 && (classBits[bytes[stop]!]! & member) !== 0) stop++
    const isFirst = pieces.starts.length === 1
    const isNext = isOnSameLine(bytes, at)
      ? stop - next <= width && (!isFirst || stop - next >= minFirstLineLength)
      : (stop - next <= width || isFirst) &&
        fillsLine(bytes, stop) &&
        (bytes[at] === 0x5c || !isWord(source.text.slice(next, stop)))
    if (stop === next || !isNext) return pieces
    pieces.starts.push(next)
    pieces.ends.push(stop)
    width = stop - next
    at = stop
  }
  return pieces
}

/** Letters alone, and few of them: what was said after it. */
function isWord(piece: string): boolean {
  return piece.length > 2 && piece.length < 12 && /^[A-Za-z][a-z]*$/.test(piece)
}

function isOnSameLine(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x20 && (classBits[bytes[at + 1]!]! & alphanumericBits) !== 0
}

/** Where the run goes on after a piece that ends at this place, or -1. */
function nextPiece(bytes: Uint8Array, at: number, length: number, firstLine: () => number): number {
  if (bytes[at] === 0x5c) return afterWrittenBreak(bytes, at)
  if (isOnSameLine(bytes, at)) return length >= minLengthOnOneLine && length % 4 === 0 ? at + 1 : -1
  let end = at
  const quote = bytes[at]
  const isQuoted = quote === 0x22 || quote === 0x27
  if (isQuoted) {
    end = skipBlanks(bytes, at + 1)
    // `+`, `.` or a backslash, as languages continue a string in the next line.
    if (bytes[end] === 0x2b || bytes[end] === 0x2e || bytes[end] === 0x5c) end++
  }
  end = skipBlanks(bytes, end)
  const line = skipLineBreak(bytes, end)
  if (line === end) return -1
  const content = contentStart(bytes, firstLine(), line)
  if (!isQuoted) return content
  return bytes[content] === quote ? content + 1 : -1
}

/** Whether nothing but the end of a line, a string or a tag follows: the first word of a sentence is no piece. */
function fillsLine(bytes: Uint8Array, end: number): boolean {
  const byte = bytes[end]!
  if (byte === 0x2e || byte === 0x3a || byte === 0x28) return false
  const next = skipBlanks(bytes, end)
  return next === end || bytes[next] === 0 || skipLineBreak(bytes, next) > next
}

/** Behind `\n` or `\r\n` as a string writes them, escaped once or more. */
function afterWrittenBreak(bytes: Uint8Array, at: number): number {
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
