import { looksRandom, looksWritten } from '../../text/randomness.ts'
import { addEdit, type Edits } from '../text/edits.ts'
import { contentStart, withoutPrefix } from '../text/line-prefix.ts'
import {
  classBits,
  digitBit,
  letterBits,
  runBits,
  skipBlanks,
  skipLineBreak,
  tokenBit,
  type DecodeSource,
} from '../text/source.ts'

/** Minimum number of token characters on both sides of a line break together; fewer are words. */
const minTokenLength = 20
/** How much of a token is examined. */
const maxLookahead = 128
/** Text is never wrapped to narrower lines. */
const minLineWidth = 16
/** A token never has more lines. */
const maxColumnLength = 16

/**
 * Joins a token that a terminal, a mail client or `fold` wrapped at the right margin: the line ends inside a token, and
 * the next line, which is no wider, continues with token characters after the same prefix.
 */
export function readLineEnd(source: DecodeSource, end: number, edits: Edits): number {
  const { bytes, text } = source
  const next = skipLineBreak(bytes, end)
  if (next === end || end < minLineWidth || isYear(bytes, next) || isDashes(bytes, next)) return end
  const left = tokenStart(bytes, end)
  const near = withoutPrefix(bytes, next)
  // The last character that the next line must contain at least. This rules out most line breaks.
  const last = near + Math.max(0, minTokenLength - (end - left) - 1)
  if ((classBits[bytes[last] ?? 0]! & tokenBit) === 0) return end
  if (!isBrokenToken(bytes, left, end, near, tokenEnd(bytes, near))) return end
  const line = text.lastIndexOf('\n', end - 1) + 1
  const content = contentStart(bytes, line, next)
  const right = tokenEnd(bytes, content)
  if (end - line < minLineWidth || !isBrokenToken(bytes, left, end, content, right)) return end
  if (startsEntry(bytes, line, content, right) || !keepsMargin(bytes, line, end, content)) return end
  if (bytes[end - 1] === 0x3d || isWord(text.slice(content, right)) || isAssigned(bytes, right)) return end
  if (isHash(bytes, skipBlanks(bytes, line), end) && isColumn(source, line, next)) return end
  addEdit(edits, end, content, '', true)
  return content
}

/** `2026-`: the start of the next log line. */
function isYear(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 4] !== 0x2d) return false
  return (classBits[bytes[at]!]! & classBits[bytes[at + 1]!]! & classBits[bytes[at + 2]!]! & digitBit) !== 0
}

/** `---`: a horizontal rule, a document separator, or a PEM marker. */
function isDashes(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x2d && bytes[at + 1] === 0x2d && bytes[at + 2] === 0x2d
}

function tokenStart(bytes: Uint8Array, end: number): number {
  const limit = Math.max(0, end - maxLookahead)
  let at = end
  while (at > limit && (classBits[bytes[at - 1]!]! & tokenBit) !== 0) at--
  return at
}

function tokenEnd(bytes: Uint8Array, start: number): number {
  const limit = start + maxLookahead
  let at = start
  while (at < limit && (classBits[bytes[at]!]! & tokenBit) !== 0) at++
  return at
}

/** Whether both parts together are long enough for a token and contain letters and digits. */
function isBrokenToken(
  bytes: Uint8Array,
  left: number,
  end: number,
  content: number,
  right: number,
): boolean {
  if (right === content || end - left + right - content < minTokenLength) return false
  let seen = 0
  for (let at = left; at < end; at++) seen |= classBits[bytes[at]!]!
  for (let at = content; at < right; at++) seen |= classBits[bytes[at]!]!
  return (seen & digitBit) !== 0 && (seen & letterBits) !== 0
}

/** Whether the next line starts with a word, name or path. The rest of a token contains a digit or looks random. */
function isWord(rest: string): boolean {
  if (/^(?:\.{0,2}\/|~)|@|\.[a-z]{1,5}$/.test(rest) || /^\d{1,6}$/.test(rest)) return true
  return /\d/.test(rest) ? looksWritten(rest) : rest.length < 8 || !looksRandom(rest)
}

/** `name =` or `name(` starts the next statement. */
function isAssigned(bytes: Uint8Array, end: number): boolean {
  const next = bytes[skipBlanks(bytes, end)]
  return next === 0x3d || next === 0x28
}

/** Whether the next line is another entry: it starts like the line before it, or with a name. */
function startsEntry(bytes: Uint8Array, line: number, content: number, tokenEnd: number): boolean {
  const above = skipBlanks(bytes, line)
  let sharedLength = 0
  while (sharedLength < 3 && bytes[above + sharedLength] === bytes[content + sharedLength]) sharedLength++
  if (sharedLength === 3 || bytes[tokenEnd] === 0x3a) return true
  for (let at = content; at < tokenEnd; at++) {
    if (bytes[at] === 0x3d && at + 1 < tokenEnd && bytes[at + 1] !== 0x3d) return true
  }
  return false
}

/** Whether all characters occur in hexadecimal or base64 hashes; names and tokens with a prefix also contain others. */
function isHash(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > maxLookahead) return false
  for (let at = start; at < end; at++) {
    const isPart = (classBits[bytes[at]!]! & runBits) !== 0 && bytes[at] !== 0x5f
    if (!isPart && !(bytes[at] === 0x3d && at >= end - 2)) return false
  }
  return true
}

/** Whether lines of the same length follow without a shorter last one: a column of hashes, not a wrapped token. */
function isColumn(source: DecodeSource, line: number, next: number): boolean {
  const { bytes, text, length } = source
  const width = next - line
  let start = next
  for (let lines = 0; lines < maxColumnLength && start < length; lines++) {
    const lineBreak = text.indexOf('\n', start)
    const end = lineBreak < 0 ? length : lineBreak
    if (end + 1 - start !== width)
      return lines > 0 && (end - start >= width || tokenEnd(bytes, skipBlanks(bytes, start)) < end)
    start = end + 1
  }
  return true
}

/** Whether the next line is no wider than this one: wrapped text stays within its margin. */
function keepsMargin(bytes: Uint8Array, line: number, end: number, content: number): boolean {
  const limit = content + end - line
  let at = content
  while (at <= limit && bytes[at] !== 0x0a && bytes[at] !== 0x0d && bytes[at] !== 0) at++
  return at <= limit
}
