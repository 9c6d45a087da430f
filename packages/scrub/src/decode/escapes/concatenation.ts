import { addEdit, type Edits } from '../text/edits.ts'
import { blankBit, classBits, tokenBit, type DecodeSource } from '../text/source.ts'

const quotes = new Uint8Array(256)
for (const quote of '"\'`') quotes[quote.charCodeAt(0)] = 1

/** Letters that mark a string in front of its quote: `b"…"`, `f"…"`, `r"…"`, `u"…"`. */
const stringMarks = new Uint8Array(256)
for (const mark of 'bfruBFRU') stringMarks[mark.charCodeAt(0)] = 1

/** Indentation and line breaks between two parts; more is no longer one statement. */
const maxGap = 256

/**
 * A string written in parts (`"abc" + "def"`, `'abc' 'def'`, one per line, with `.`, `&`, `..`, `||`, `++`, `<>` or a
 * backslash in between) reads as one where both parts have a token character at the seam.
 */
export function readQuote(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  if (at === 0 || (classBits[bytes[at - 1]!]! & tokenBit) === 0) return at + 1
  const limit = at + maxGap
  const operator = skipSpace(bytes, at + 1, limit)
  const length = operatorLength(bytes, operator)
  let opening = length === 0 ? operator : skipSpace(bytes, operator + length, limit)
  if (stringMarks[bytes[opening]!] === 1) opening++
  if (quotes[bytes[opening]!] !== 1 || (classBits[bytes[opening + 1]!]! & tokenBit) === 0) return at + 1
  if (length === 0 && !(isTokenAlone(bytes, at - 1, -1) && isTokenAlone(bytes, opening + 1, 1))) return at + 1
  addEdit(edits, at, opening + 1, '', true)
  return opening + 1
}

/**
 * Whether a string holds nothing but a token, from one of its ends on. Without an operator, only these join: in a log
 * or a text, strings and code stand side by side.
 */
function isTokenAlone(bytes: Uint8Array, from: number, step: 1 | -1): boolean {
  const limit = from + step * maxGap
  let at = from
  while (at !== limit && at >= 0 && (classBits[bytes[at]!]! & tokenBit) !== 0) at += step
  return bytes[at] === 0x22 || bytes[at] === 0x27
}

/** Behind blanks and line breaks, also those after a backslash. */
function skipSpace(bytes: Uint8Array, from: number, limit: number): number {
  let at = from
  for (; at < limit; at++) {
    const byte = bytes[at]!
    const isSpace = (classBits[byte]! & blankBit) !== 0 || byte === 0x0a || byte === 0x0d
    if (!isSpace && !(byte === 0x5c && (bytes[at + 1] === 0x0a || bytes[at + 1] === 0x0d))) break
  }
  return at
}

/** How long the operator at a place is that joins two strings; 0 where there is none. */
function operatorLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  const next = bytes[at + 1]
  if (byte === 0x2b || byte === 0x2e) return next === byte ? 2 : 1
  if (byte === 0x26) return next === byte ? 0 : 1
  if (byte === 0x7c) return next === byte ? 2 : 0
  return byte === 0x3c && next === 0x3e ? 2 : 0
}
