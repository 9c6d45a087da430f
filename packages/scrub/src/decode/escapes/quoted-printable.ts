import { Buffer } from 'node:buffer'
import { addEdit, type Edits } from '../text/edits.ts'
import { replaceEscapedBytes } from '../text/escaped-character.ts'
import {
  classBits,
  hexNumber,
  skipBlanks,
  skipLineBreak,
  tokenBit,
  type DecodeSource,
} from '../text/source.ts'

/** The standard allows at most 76 characters per line, but some encoders fold later. */
const maxLineLength = 100
/** A shorter line that ends in `=` is an assignment without a value. */
const minFoldedLength = 30
const maxWordLength = 512
const maxNameLength = 64

/** `=3D`, a soft line break, or an encoded word of a mail header. */
export function readEquals(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const next = bytes[at + 1]!
  if (next === 0x3f) return readEncodedWord(source, at, edits)
  if (next === 0x0a || next === 0x0d) return joinFolded(source, at, edits)
  if (!(next >= 0x32 && next <= 0x46) || quotedByte(bytes, at) < 0) return at + 1
  const isEncoded = isEvident(bytes, at) || isQuotedPrintable(source, at)
  const end = isEncoded ? replaceEscapedBytes(source, at, 3, quotedByte, edits) : -1
  return end > 0 ? end : at + 1
}

/** The escaped byte, or -1. Requires upper case, as the standard does, and excludes control characters. */
function quotedByte(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x3d || bytes[at + 1]! > 0x46 || bytes[at + 2]! > 0x46) return -1
  const byte = hexNumber(bytes, at + 1, 2)
  return byte >= 0x20 && byte !== 0x7f ? byte : -1
}

/** `=3D`, `=5F`, or two adjacent escapes: few assigned values look like that. */
function isEvident(bytes: Uint8Array, at: number): boolean {
  return quotedByte(bytes, at) >= 0 && (bytes[at + 2]! >= 0x41 || quotedByte(bytes, at + 3) >= 0)
}

/** `a=20` alone is more likely an assignment. Checks whether the line has further evidence. */
function isQuotedPrintable({ bytes, length }: DecodeSource, at: number): boolean {
  const start = nearLineStart(bytes, at)
  const limit = Math.min(length, start + maxLineLength)
  for (let i = start; i < limit; i++) {
    if (bytes[i] === 0x0a) return false
    if (bytes[i] !== 0x3d) continue
    if (isEvident(bytes, i)) return true
    if (i >= start + minFoldedLength && skipLineBreak(bytes, i + 1) > i + 1) return true
  }
  return false
}

/** The start of the line, or the earliest offset where a quoted-printable line could start. */
function nearLineStart(bytes: Uint8Array, at: number): number {
  const floor = Math.max(0, at - maxLineLength)
  let start = at
  while (start > floor && bytes[start - 1] !== 0x0a) start--
  return start
}

/** A soft line break: a line that ends in `=` continues on the next one. `==` is base64 padding. */
function joinFolded(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const next = skipLineBreak(bytes, at + 1)
  if (next === at + 1 || at === 0 || bytes[at - 1] === 0x3d) return at + 1
  if ((classBits[bytes[at - 1]!]! & tokenBit) === 0 || (classBits[bytes[next]!]! & tokenBit) === 0)
    return at + 1
  const line = nearLineStart(bytes, at)
  const width = at + 1 - line
  if (width < minFoldedLength || width > maxLineLength || haveSamePrefix(bytes, line, next)) return at + 1
  if (isAssigned(bytes, next)) return at + 1
  addEdit(edits, at, next, '', true)
  return next
}

/** Entries of a list have the same prefix, and may end in the padding of a hash. */
function haveSamePrefix(bytes: Uint8Array, line: number, next: number): boolean {
  return (
    bytes[line] === bytes[next] && bytes[line + 1] === bytes[next + 1] && bytes[line + 2] === bytes[next + 2]
  )
}

/** `NAME=`: the next variable, after a line that ended in base64 padding. */
function isAssigned(bytes: Uint8Array, at: number): boolean {
  let end = at
  while (end < at + maxNameLength && (classBits[bytes[end]!]! & tokenBit) !== 0 && bytes[end] !== 0x3d) end++
  return end > at && bytes[end] === 0x3d && quotedByte(bytes, end) < 0 && bytes[end + 1] !== 0x0a
}

/** `=?UTF-8?B?…?=`, `=?UTF-8?Q?…?=`. White space between two encoded words is not part of the text. */
function readEncodedWord(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes, text } = source
  let charsetEnd = at + 2
  while (charsetEnd < at + 40 && bytes[charsetEnd]! > 0x20 && bytes[charsetEnd] !== 0x3f) charsetEnd++
  const encoding = bytes[charsetEnd + 1]! | 0x20
  if (bytes[charsetEnd] !== 0x3f || bytes[charsetEnd + 2] !== 0x3f) return at + 1
  if (encoding !== 0x62 && encoding !== 0x71) return at + 1
  const start = charsetEnd + 3
  let end = start
  while (end < start + maxWordLength && bytes[end]! > 0x20 && bytes[end] !== 0x3f) end++
  if (bytes[end] !== 0x3f || bytes[end + 1] !== 0x3d) return at + 1
  const content = text.slice(start, end)
  const decoded = encoding === 0x62 ? Buffer.from(content, 'base64') : quotedWord(content)
  let stop = end + 2
  const after = skipBlanks(bytes, skipLineBreak(bytes, skipBlanks(bytes, stop)))
  if (bytes[after] === 0x3d && bytes[after + 1] === 0x3f) stop = after
  addEdit(edits, at, stop, decoded.toString(charsetOf(text.slice(at + 2, charsetEnd))), true)
  return stop
}

function charsetOf(name: string): 'utf8' | 'utf16le' | 'latin1' {
  if (/^utf-?16/i.test(name)) return 'utf16le'
  return /^(?:utf-?8|us-ascii)/i.test(name) ? 'utf8' : 'latin1'
}

function quotedWord(content: string): Buffer {
  const bytes = content
    .replaceAll('_', ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))
  return Buffer.from(bytes, 'latin1')
}
