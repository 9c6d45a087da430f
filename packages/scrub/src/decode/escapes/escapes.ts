/** Characters written as a number or after a backslash. */

import { addEdit, type Edits } from '../text/edits.ts'
import { replaceCharacter, replaceEscapedBytes } from '../text/escaped-character.ts'
import {
  alphanumericBits,
  classBits,
  digitBit,
  hexDigitBit,
  hexNumber,
  hexValues,
  letterBits,
  skipLineBreak,
  tokenBit,
} from '../text/source.ts'
import type { DecodeSource } from '../text/source.ts'
import { controlSequenceEnd } from '../text/terminal.ts'

/** This many hexadecimal digits after `\x` are a PostgreSQL bytea value, not an escape. */
const minByteaDigits = 16

/** How far to look around an escape inside a word, and the length from which the word is a token. */
const maxLookahead = 48
const minTokenLength = 16

const whitespace: Readonly<Record<number, string>> = { 0x6e: '\n', 0x72: '\r', 0x74: '\t' }

/** Decodes a backslash escape of JSON, C, JavaScript, Python, shells or Markdown. */
export function readEscapeAt(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const next = bytes[at + 1]!
  switch (next) {
    case 0x75: // u
      return readUnicode(source, at, edits)
    case 0x55: // U
      return replaceNumber(source, at, 2, 8, edits)
    case 0x78: // x
      return readHexadecimal(source, at, edits)
    case 0x65: // e, the terminal's ESC
    case 0x45: {
      const end = controlSequenceEnd(bytes, at + 2)
      if (end > at + 2) addEdit(edits, at, end, '', true)
      return end
    }
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      addEdit(edits, at, at + 2, whitespace[next]!, hidesWordStart(bytes, at + 2) || isInList(bytes, at))
      return at + 2
    case 0x22: // "
    case 0x27: // '
    case 0x2f: // /
    case 0x5c: // \
    case 0x60: // `
      addEdit(edits, at, at + 2, String.fromCharCode(next), true)
      return at + 2
    case 0x0a:
    case 0x0d:
      return joinLines(source, at, edits)
    default:
      if (next >= 0x30 && next <= 0x37) return readDigits(source, at, edits)
      return readPunctuation(source, at, edits)
  }
}

/** `\nghp_…` and `\nTOKEN=`: unless decoded, the letter of the escape appears to belong to the word. */
function hidesWordStart(bytes: Uint8Array, at: number): boolean {
  let end = at
  while (end < at + 16 && (classBits[bytes[end]!]! & alphanumericBits) !== 0) end++
  while (end < at + 16 && (classBits[bytes[end]!]! & tokenBit) !== 0 && bytes[end] !== 0x3d) end++
  if (end === at) return false
  return end === at + 16 || bytes[end] === 0x3d || bytes[end] === 0x3a
}

/** `103\n104` and a row of a hex dump are recognised as a list only with real line breaks. */
function isInList(bytes: Uint8Array, at: number): boolean {
  if ((classBits[bytes[at + 2]!]! & digitBit) === 0) return false
  const isRow = bytes[at + 2] === 0x30 && bytes[at + 3] === 0x30 && bytes[at + 4] === 0x30
  return isRow || (at > 0 && (classBits[bytes[at - 1]!]! & digitBit) !== 0)
}

/** `\u0067`, `\u{67}`. */
function readUnicode(source: DecodeSource, at: number, edits: Edits): number {
  if (source.bytes[at + 2] === 0x7b) return readBraces(source, at, edits)
  return replaceNumber(source, at, 2, 4, edits)
}

/** `\x67`, `\x{67}`. Non-ASCII bytes are decoded as UTF-8 if valid, otherwise as Latin-1. */
function readHexadecimal(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  if (bytes[at + 2] === 0x7b) return readBraces(source, at, edits)
  let digits = 0
  while (digits < minByteaDigits && (classBits[bytes[at + 2 + digits]!]! & hexDigitBit) !== 0) digits++
  if (digits < 2 || digits === minByteaDigits) return at + 2
  const end = replaceEscapedBytes(source, at, 4, hexadecimalByte, edits)
  return end > 0 ? end : replaceNumber(source, at, 2, 2, edits)
}

function hexadecimalByte(bytes: Uint8Array, at: number): number {
  return bytes[at] === 0x5c && bytes[at + 1] === 0x78 ? hexNumber(bytes, at + 2, 2) : -1
}

function readBraces(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  let end = at + 3
  while (end < at + 11 && hexValues[bytes[end]!]! >= 0) end++
  if (bytes[end] !== 0x7d) return at + 2
  const code = hexNumber(bytes, at + 3, end - at - 3)
  if (end === at + 3 || code > 0x10ffff) return at + 2
  return replaceCharacter(source, at, end + 1, code, edits)
}

function replaceNumber(
  source: DecodeSource,
  at: number,
  prefix: number,
  digits: number,
  edits: Edits,
): number {
  const code = hexNumber(source.bytes, at + prefix, digits)
  if (code < 0 || code > 0x10ffff) return at + 2
  return replaceCharacter(source, at, at + prefix + digits, code, edits)
}

/** `\67 \68 `, as in CSS, if two escapes follow each other; otherwise octal. */
function readDigits(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const follows = at >= 4 && bytes[at - 1] === 0x20 && bytes[at - 4] === 0x5c
  const precedes = bytes[at + 3] === 0x20 && bytes[at + 4] === 0x5c
  const code = follows || precedes ? hexNumber(bytes, at + 1, 2) : -1
  if (code < 0x20) return readOctal(source, at, edits)
  return replaceCharacter(source, at, bytes[at + 3] === 0x20 ? at + 4 : at + 3, code, edits)
}

/** `\147`, and `\0147` as in `echo -e`. Fewer digits are a back-reference. */
function readOctal(source: DecodeSource, at: number, edits: Edits): number {
  const long = longOctalByte(source.bytes, at)
  const end =
    long >= 0x20
      ? replaceEscapedBytes(source, at, 5, longOctalByte, edits)
      : replaceEscapedBytes(source, at, 4, octalByte, edits)
  return end > 0 ? end : at + 2
}

function octalByte(bytes: Uint8Array, at: number): number {
  return bytes[at] === 0x5c ? octalNumber(bytes, at + 1) : -1
}

function longOctalByte(bytes: Uint8Array, at: number): number {
  return bytes[at] === 0x5c && bytes[at + 1] === 0x30 ? octalNumber(bytes, at + 2) : -1
}

/** The byte written with exactly three octal digits at an offset, or -1. */
export function octalNumber(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let i = at; i < at + 3; i++) {
    const digit = bytes[i]! - 0x30
    if (!(digit >= 0 && digit <= 7)) return -1
    value = value * 8 + digit
  }
  return value <= 0xff ? value : -1
}

/** A line continuation inside a token: `ghp_abc\`, then `def` on the next line. */
function joinLines(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const next = skipLineBreak(bytes, at + 1)
  if (next === at + 1) return at + 1
  const isInsideToken =
    at > 0 && (classBits[bytes[at - 1]!]! & tokenBit) !== 0 && (classBits[bytes[next]!]! & tokenBit) !== 0
  if (isInsideToken) addEdit(edits, at, next, '', true)
  return isInsideToken ? next : at + 1
}

/** `sk\_live\_…`: Markdown, TeX and shells escape punctuation. Significant only inside a token. */
function readPunctuation(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const next = bytes[at + 1]!
  const isPunctuation =
    (next > 0x20 && next < 0x30) ||
    (next > 0x39 && next < 0x41) ||
    (next > 0x5a && next < 0x61) ||
    next > 0x7a
  if (!isPunctuation || next > 0x7e) return at + 1
  addEdit(edits, at, at + 2, String.fromCharCode(next), isInToken(bytes, at))
  return at + 2
}

/** Whether there are token characters on both sides, enough of them and mixed enough for a token. */
function isInToken(bytes: Uint8Array, at: number): boolean {
  const isPart = (place: number): boolean =>
    place >= 0 && ((classBits[bytes[place]!]! & tokenBit) !== 0 || bytes[place] === 0x5c)
  if (!isPart(at - 1) || !isPart(at + 2)) return false
  let seen = 0
  let start = at
  while (at - start < maxLookahead && isPart(start - 1)) seen |= classBits[bytes[--start]!]!
  let end = at + 2
  while (end - at < maxLookahead && isPart(end)) seen |= classBits[bytes[end++]!]!
  return end - start >= minTokenLength && (seen & digitBit) !== 0 && (seen & letterBits) !== 0
}

/** `%67` as in URLs, and `%u0067` as in the output of JavaScript's `escape`. */
export function readPercent(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  if (bytes[at + 1] === 0x75) {
    const code = hexNumber(bytes, at + 2, 4)
    return code < 0 ? at + 1 : replaceCharacter(source, at, at + 6, code, edits)
  }
  const end = replaceEscapedBytes(source, at, 3, percentByte, edits)
  return end > 0 ? end : at + 1
}

/** Control characters are not decoded: `%02d` is a format string, not a URL. */
function percentByte(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x25) return -1
  const byte = hexNumber(bytes, at + 1, 2)
  const isControl =
    byte < 0x20 && byte !== 0 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b
  return isControl || byte === 0x7f ? -1 : byte
}

/** `U+0067`, the Unicode notation. The space between two code points is dropped as well. */
export function readCodePoint(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const start = at + 2
  let end = start
  let code = 0
  while (end < start + 6 && hexValues[bytes[end]!]! >= 0) code = code * 16 + hexValues[bytes[end++]!]!
  const isWhitespace = code === 0x09 || code === 0x0a || code === 0x0d
  if (end < start + 4 || code > 0x7e || (code < 0x20 && !isWhitespace)) return at + 1
  const isListed = bytes[end] === 0x20 && (bytes[end + 1]! | 0x20) === 0x75 && bytes[end + 2] === 0x2b
  return replaceCharacter(source, at, isListed ? end + 1 : end, code, edits)
}
