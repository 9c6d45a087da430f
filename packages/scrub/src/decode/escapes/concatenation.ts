import { addEdit, type Edits } from '../text/edits.ts'
import { blankBit, classBits, tokenBit, type DecodeSource } from '../text/source.ts'

const quotes = new Uint8Array(256)
for (const quote of '"\'`') quotes[quote.charCodeAt(0)] = 1

/** String prefixes: `b"…"`, `f"…"`, `r"…"`, `u"…"`. */
const stringPrefixes = new Uint8Array(256)
for (const prefix of 'bfruBFRU') stringPrefixes[prefix.charCodeAt(0)] = 1

/** Maximum length of the spaces, line breaks and operator between two parts of one expression. */
const maxGap = 256

/**
 * Joins a concatenated string (`"abc" + "def"`, `'abc' 'def'`, one part per line, with `.`, `&`, `..`, `||`, `++`, `<>`
 * or a backslash in between) if both parts have a token character where they meet.
 */
export function readQuote(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  if (at === 0 || (classBits[bytes[at - 1]!]! & tokenBit) === 0) return at + 1
  const limit = at + maxGap
  const operator = skipSpace(bytes, at + 1, limit)
  const length = operatorLength(bytes, operator)
  let opening = length === 0 ? operator : skipSpace(bytes, operator + length, limit)
  if (stringPrefixes[bytes[opening]!] === 1) opening++
  if (quotes[bytes[opening]!] !== 1 || (classBits[bytes[opening + 1]!]! & tokenBit) === 0) return at + 1
  if (length === 0 && !(isTokenAlone(bytes, at - 1, -1) && isTokenAlone(bytes, opening + 1, 1))) return at + 1
  addEdit(edits, at, opening + 1, '', true)
  return opening + 1
}

/**
 * Whether a string consists of nothing but a token, checked from one of its ends. Without an operator, only such strings
 * are joined, because logs and prose often contain adjacent quoted strings.
 */
function isTokenAlone(bytes: Uint8Array, from: number, step: 1 | -1): boolean {
  const limit = from + step * maxGap
  let at = from
  while (at !== limit && at >= 0 && (classBits[bytes[at]!]! & tokenBit) !== 0) at += step
  return bytes[at] === 0x22 || bytes[at] === 0x27
}

/** Skips spaces, tabs and line breaks, also line breaks after a backslash. */
function skipSpace(bytes: Uint8Array, from: number, limit: number): number {
  let at = from
  for (; at < limit; at++) {
    const byte = bytes[at]!
    const isSpace = (classBits[byte]! & blankBit) !== 0 || byte === 0x0a || byte === 0x0d
    if (!isSpace && !(byte === 0x5c && (bytes[at + 1] === 0x0a || bytes[at + 1] === 0x0d))) break
  }
  return at
}

/** Length of the concatenation operator at an offset, or 0. */
function operatorLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  const next = bytes[at + 1]
  if (byte === 0x2b || byte === 0x2e) return next === byte ? 2 : 1
  if (byte === 0x26) return next === byte ? 0 : 1
  if (byte === 0x7c) return next === byte ? 2 : 0
  return byte === 0x3c && next === 0x3e ? 2 : 0
}
