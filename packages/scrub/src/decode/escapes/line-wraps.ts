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

/** Fewer characters on both sides of a line break together are words, not a token. */
const minTokenLength = 20
/** As much of a token is looked at. */
const maxLookahead = 128
/** No one wraps narrower. */
const narrowest = 16
/** No token has more lines. */
const maxColumnLength = 16

/**
 * A token that a terminal, a mail program or `fold` broke at the right margin reads as one: the line ends within a
 * token, and the next one, which is no wider, goes on with token characters behind the same prefix.
 */
export function readLineEnd(source: DecodeSource, end: number, edits: Edits): number {
  const { bytes, text } = source
  const next = skipLineBreak(bytes, end)
  if (next === end || end < narrowest || isYear(bytes, next) || isRule(bytes, next)) return end
  const left = tokenStart(bytes, end)
  const near = withoutPrefix(bytes, next)
  // The last character that the next line has to have in any case: most line breaks are done with here.
  const last = near + Math.max(0, minTokenLength - (end - left) - 1)
  if ((classBits[bytes[last] ?? 0]! & tokenBit) === 0) return end
  if (!isBrokenToken(bytes, left, end, near, tokenEnd(bytes, near))) return end
  const line = text.lastIndexOf('\n', end - 1) + 1
  const content = contentStart(bytes, line, next)
  const right = tokenEnd(bytes, content)
  if (end - line < narrowest || !isBrokenToken(bytes, left, end, content, right)) return end
  if (startsEntry(bytes, line, content, right) || !keepsMargin(bytes, line, end, content)) return end
  if (bytes[end - 1] === 0x3d || isWord(text.slice(content, right)) || isAssigned(bytes, right)) return end
  if (isHash(bytes, skipBlanks(bytes, line), end) && isColumn(source, line, next)) return end
  addEdit(edits, end, content, '', true)
  return content
}

/** `2026-`: the next line of a log begins. */
function isYear(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 4] !== 0x2d) return false
  return (classBits[bytes[at]!]! & classBits[bytes[at + 1]!]! & classBits[bytes[at + 2]!]! & digitBit) !== 0
}

/** `---`: a line across the page, the border of a document, or the armour of a key. */
function isRule(bytes: Uint8Array, at: number): boolean {
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

/** Long enough on both sides together, with letters and digits as issuers' tokens have them. */
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

/** The rest of a token has a digit, or is too long and too odd for a word; else a sentence, a name or a path begins. */
function isWord(rest: string): boolean {
  if (/^(?:\.{0,2}\/|~)|@|\.[a-z]{1,5}$/.test(rest) || /^\d{1,6}$/.test(rest)) return true
  return /\d/.test(rest) ? looksWritten(rest) : rest.length < 8 || !looksRandom(rest)
}

/** `name =` and `name(`: the next statement. */
function isAssigned(bytes: Uint8Array, end: number): boolean {
  const next = bytes[skipBlanks(bytes, end)]
  return next === 0x3d || next === 0x28
}

/** Whether the next line is one more of its kind: it begins like the line before it, or names something. */
function startsEntry(bytes: Uint8Array, line: number, content: number, tokenEnd: number): boolean {
  const above = skipBlanks(bytes, line)
  let same = 0
  while (same < 3 && bytes[above + same] === bytes[content + same]) same++
  if (same === 3 || bytes[tokenEnd] === 0x3a) return true
  for (let at = content; at < tokenEnd; at++) {
    if (bytes[at] === 0x3d && at + 1 < tokenEnd && bytes[at + 1] !== 0x3d) return true
  }
  return false
}

/** Letters, digits and what hashes in base64 have; names and the prefixes of tokens have other signs as well. */
function isHash(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > maxLookahead) return false
  for (let at = start; at < end; at++) {
    const isPart = (classBits[bytes[at]!]! & runBits) !== 0 && bytes[at] !== 0x5f
    if (!isPart && !(bytes[at] === 0x3d && at >= end - 2)) return false
  }
  return true
}

/** Whether lines of one length follow without a shorter rest: a column of hashes, not one token that was folded. */
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

/** Whether the next line is no wider than this one: what was broken at a margin keeps to it. */
function keepsMargin(bytes: Uint8Array, line: number, end: number, content: number): boolean {
  const limit = content + end - line
  let at = content
  while (at <= limit && bytes[at] !== 0x0a && bytes[at] !== 0x0d && bytes[at] !== 0) at++
  return at <= limit
}
