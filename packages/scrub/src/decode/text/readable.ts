import { Buffer, isUtf8 } from 'node:buffer'
import { firstLead, lastLead, sequenceLength } from './escaped-character.ts'
import { markedCompression, unpacked, type Compression, type InflateBudget } from './compression.ts'

/** What decoded bytes look like from their first few. */
export type Guess = 'text' | 'utf16le' | 'utf16be' | Compression

/** Decoded bytes as text, and how many of them it takes. */
export interface DecodedText {
  readonly text: string
  readonly used: number
}

/** So many bytes tell text from a hash: one of a million hashes begins like text. */
export const sniffed = 12
/** Of which so many may be control characters. */
const fewControls = 2
const shortest = 8
const minPrintable = 0.85

const plain = 0
const control = 1
const beyondAscii = 2
const kinds = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isPlain =
    (byte >= 0x20 && byte <= 0x7e) || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x1b
  kinds[byte] = byte >= 0x80 ? beyondAscii : isPlain ? plain : control
}

/** For the first two bytes in one number, whether what begins with them is worth a look at the next ones. */
export const mayBegin = new Uint8Array(0x10000)
for (let first = 0; first < 0x80; first++) {
  mayBegin.fill(1, first << 8, (first << 8) | 0x80)
  mayBegin.fill(1, (first << 8) | firstLead, (first << 8) | (lastLead + 1))
}
for (let first = firstLead; first <= lastLead; first++) {
  mayBegin.fill(1, (first << 8) | 0x80, (first << 8) | 0xc0)
}
// The marks of gzip, of zlib at its four levels, and of UTF-16.
for (const mark of [0x1f8b, 0x7801, 0x785e, 0x789c, 0x78da, 0xfeff, 0xfffe]) mayBegin[mark] = 1

/** Tells by the first bytes whether the rest is worth decoding. */
export function guess(bytes: Uint8Array, length: number): Guess | undefined {
  const compression = markedCompression(bytes)
  if (compression !== undefined) return compression
  let controls = 0
  for (let at = 0; at < length;) {
    const byte = bytes[at]!
    const kind = kinds[byte]!
    if (kind === beyondAscii) {
      const end = at + sequenceLength(byte)
      if (end === at) return wideGuess(bytes, length)
      while (++at < end && at < length) if ((bytes[at]! & 0xc0) !== 0x80) return wideGuess(bytes, length)
    } else {
      if (kind === control && ++controls > fewControls) return wideGuess(bytes, length)
      at++
    }
  }
  return 'text'
}

/** UTF-16: every other byte of ordinary text is zero. */
function wideGuess(bytes: Uint8Array, length: number): Guess | undefined {
  const start = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) ? 2 : 0
  if (length < start + 4) return undefined
  const zero = bytes[start] === 0 ? 0 : 1
  for (let at = start; at + 1 < length; at += 2) {
    if (bytes[at + zero] !== 0 || kinds[bytes[at + 1 - zero]!] !== plain) return undefined
  }
  return zero === 0 ? 'utf16be' : 'utf16le'
}

/** The bytes as text, as far as they are text; nothing where that is too little or not readable. */
export function read(bytes: Buffer, guessed: Guess, budget: InflateBudget): DecodedText | undefined {
  switch (guessed) {
    case 'text':
      return readUtf8(bytes)
    case 'utf16le':
    case 'utf16be':
      return readUtf16(bytes, guessed)
    case 'gzip':
    case 'zlib':
    case 'deflate': {
      const stream = unpacked(bytes, guessed, budget)
      return stream && readContent(stream.content, stream.used)
    }
  }
}

/** What was compressed, itself text of one kind or the other. */
function readContent(unpackedBytes: Uint8Array, used: number): DecodedText | undefined {
  const content = Buffer.from(unpackedBytes.buffer, unpackedBytes.byteOffset, unpackedBytes.length)
  const guessed = guess(content, Math.min(sniffed, content.length))
  if (guessed === undefined) return undefined
  // `x ` and `x^` begin text as well as what zlib packed.
  const isWide = guessed === 'utf16le' || guessed === 'utf16be'
  const reading = isWide ? readUtf16(content, guessed) : readUtf8(content)
  return reading && { text: reading.text, used }
}

function readUtf8(bytes: Buffer): DecodedText | undefined {
  const valid = isUtf8(bytes) ? bytes.length : validLength(bytes)
  const text = bytes.toString('utf8', 0, valid)
  return isReadable(text) ? { text, used: isCutOff(bytes, valid) ? bytes.length : valid } : undefined
}

/** How many bytes from the start are UTF-8. */
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

/** Whether what follows is the beginning of one more character: where a run was cut, its bytes were too. */
function isCutOff(bytes: Uint8Array, valid: number): boolean {
  if (valid === bytes.length || valid + sequenceLength(bytes[valid]!) <= bytes.length) return false
  for (let at = valid + 1; at < bytes.length; at++) if ((bytes[at]! & 0xc0) !== 0x80) return false
  return true
}

function readUtf16(bytes: Buffer, guessed: 'utf16le' | 'utf16be'): DecodedText | undefined {
  const even = bytes.subarray(0, bytes.length & ~1)
  const text = (guessed === 'utf16le' ? even : Buffer.from(even).swap16())
    .toString('utf16le')
    .replace(/^\ufeff/, '')
  return isReadable(text) ? { text, used: bytes.length } : undefined
}

/** Almost all of it printable, and somewhere as many ASCII characters in a row as a secret has at least. */
function isReadable(text: string): boolean {
  let bad = 0
  let row = 0
  let longest = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80 ? kinds[code] === control : code < 0xa0 || code === 0xfffd) bad++
    row = code >= 0x20 && code < 0x7f ? row + 1 : 0
    if (row > longest) longest = row
  }
  return longest >= shortest && bad <= text.length * (1 - minPrintable)
}
