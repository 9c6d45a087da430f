import { Buffer, isUtf8 } from 'node:buffer'
import { firstLead, lastLead, sequenceLength } from './escaped-character.ts'
import { decompress, detectCompression, type Compression, type InflateBudget } from './compression.ts'

/** The format of decoded bytes, guessed from the first few. */
export type ByteFormat = 'text' | 'utf16le' | 'utf16be' | Compression

/** Bytes decoded as text, and how many of them are text. */
export interface DecodedText {
  readonly text: string
  readonly used: number
}

/** Number of bytes examined to tell text from hashes: one hash in a million looks like text. */
export const maxSniffedBytes = 12
/** How many of them may be control characters. */
const maxControls = 2
const minAsciiRun = 8
const minPrintableShare = 0.85

const plain = 0
const control = 1
const beyondAscii = 2
const kinds = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isPlain =
    (byte >= 0x20 && byte <= 0x7e) || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x1b
  kinds[byte] = byte >= 0x80 ? beyondAscii : isPlain ? plain : control
}

/** Indexed by the first two bytes as one number: whether the next bytes are worth checking. */
export const mayStartText = new Uint8Array(0x10000)
for (let first = 0; first < 0x80; first++) {
  mayStartText.fill(1, first << 8, (first << 8) | 0x80)
  mayStartText.fill(1, (first << 8) | firstLead, (first << 8) | (lastLead + 1))
}
for (let first = firstLead; first <= lastLead; first++) {
  mayStartText.fill(1, (first << 8) | 0x80, (first << 8) | 0xc0)
}
// The headers of gzip and zlib (at its four levels), and the byte order marks of UTF-16.
for (const header of [0x1f8b, 0x7801, 0x785e, 0x789c, 0x78da, 0xfeff, 0xfffe]) mayStartText[header] = 1

/** Guesses the format from the first bytes; undefined if the rest is not worth decoding. */
export function guessFormat(bytes: Uint8Array, length: number): ByteFormat | undefined {
  const compression = detectCompression(bytes)
  if (compression !== undefined) return compression
  let controls = 0
  for (let at = 0; at < length;) {
    const byte = bytes[at]!
    const kind = kinds[byte]!
    if (kind === beyondAscii) {
      const end = at + sequenceLength(byte)
      if (end === at) return guessUtf16(bytes, length)
      while (++at < end && at < length) if ((bytes[at]! & 0xc0) !== 0x80) return guessUtf16(bytes, length)
    } else {
      if (kind === control && ++controls > maxControls) return guessUtf16(bytes, length)
      at++
    }
  }
  return 'text'
}

/** In UTF-16, every other byte of ordinary text is zero. */
function guessUtf16(bytes: Uint8Array, length: number): ByteFormat | undefined {
  const start = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) ? 2 : 0
  if (length < start + 4) return undefined
  const zero = bytes[start] === 0 ? 0 : 1
  for (let at = start; at + 1 < length; at += 2) {
    if (bytes[at + zero] !== 0 || kinds[bytes[at + 1 - zero]!] !== plain) return undefined
  }
  return zero === 0 ? 'utf16be' : 'utf16le'
}

/** Decodes the bytes as far as they are text; undefined if that is too short or not readable. */
export function readAs(bytes: Buffer, format: ByteFormat, budget: InflateBudget): DecodedText | undefined {
  switch (format) {
    case 'text':
      return readUtf8(bytes)
    case 'utf16le':
    case 'utf16be':
      return readUtf16(bytes, format)
    case 'gzip':
    case 'zlib':
    case 'deflate': {
      const stream = decompress(bytes, format, budget)
      return stream && readContent(stream.content, stream.used)
    }
  }
}

/** Decodes decompressed data, which must be text. */
function readContent(decompressed: Uint8Array, used: number): DecodedText | undefined {
  const content = Buffer.from(decompressed.buffer, decompressed.byteOffset, decompressed.length)
  const format = guessFormat(content, Math.min(maxSniffedBytes, content.length))
  if (format === undefined) return undefined
  // `x ` and `x^` start text as well as zlib streams, so any other format is read as text.
  const isUtf16 = format === 'utf16le' || format === 'utf16be'
  const reading = isUtf16 ? readUtf16(content, format) : readUtf8(content)
  return reading && { text: reading.text, used }
}

function readUtf8(bytes: Buffer): DecodedText | undefined {
  const valid = isUtf8(bytes) ? bytes.length : validLength(bytes)
  const text = bytes.toString('utf8', 0, valid)
  return isReadable(text) ? { text, used: isCutOff(bytes, valid) ? bytes.length : valid } : undefined
}

/** Length of the valid UTF-8 prefix. */
function validLength(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const end = at + sequenceLength(bytes[at]!)
    if (end === at || end > bytes.length) return at
    for (let next = at + 1; next < end; next++) if ((bytes[next]! & 0xc0) !== 0x80) return at
    at = end
  }
  return at
}

/** Whether the rest is the start of one more character, as at the end of a truncated run. */
function isCutOff(bytes: Uint8Array, valid: number): boolean {
  if (valid === bytes.length || valid + sequenceLength(bytes[valid]!) <= bytes.length) return false
  for (let at = valid + 1; at < bytes.length; at++) if ((bytes[at]! & 0xc0) !== 0x80) return false
  return true
}

function readUtf16(bytes: Buffer, format: 'utf16le' | 'utf16be'): DecodedText | undefined {
  const even = bytes.subarray(0, bytes.length & ~1)
  const text = (format === 'utf16le' ? even : Buffer.from(even).swap16())
    .toString('utf16le')
    .replace(/^\ufeff/, '')
  return isReadable(text) ? { text, used: bytes.length } : undefined
}

/** Almost all characters are printable, and enough consecutive ones are ASCII for a secret. */
function isReadable(text: string): boolean {
  let unprintable = 0
  let asciiRun = 0
  let maxAsciiRun = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80 ? kinds[code] === control : code < 0xa0 || code === 0xfffd) unprintable++
    asciiRun = code >= 0x20 && code < 0x7f ? asciiRun + 1 : 0
    if (asciiRun > maxAsciiRun) maxAsciiRun = asciiRun
  }
  return maxAsciiRun >= minAsciiRun && unprintable <= text.length * (1 - minPrintableShare)
}
