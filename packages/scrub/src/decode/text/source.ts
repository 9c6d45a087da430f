import { Buffer } from 'node:buffer'

/** A text prepared for the decoders. */
export interface DecodeSource {
  readonly text: string
  /**
   * One byte for each UTF-16 unit, so that offsets are the same. Characters beyond Latin-1 are `otherCharacter` or
   * `disguisedCharacter`. A margin of zeros follows, so that lookahead needs no bounds checks.
   */
  readonly bytes: Uint8Array
  readonly length: number
}

/** Represents an ordinary character beyond Latin-1. */
export const otherCharacter = 0x80
/** Represents an invisible character, or one that only looks like an ASCII character. */
export const disguisedCharacter = 0x81

const margin = 16

export function sourceOf(text: string): DecodeSource {
  const bytes = Buffer.allocUnsafe(text.length + margin)
  bytes.write(text, 0, 'latin1')
  bytes.fill(0, text.length)
  markBeyondLatin1(text, bytes)
  return { text, bytes, length: text.length }
}

/** Free for most texts: V8 knows that this cannot match a string of Latin-1 characters only. */
function markBeyondLatin1(text: string, bytes: Uint8Array): void {
  const beyond = /[^\0-\xff]+/g
  while (beyond.exec(text) !== null) {
    for (let at = beyond.lastIndex - 1; at >= 0; at--) {
      const code = text.charCodeAt(at)
      if (code <= 0xff) break
      bytes[at] = isDisguised(code) ? disguisedCharacter : otherCharacter
    }
  }
}

/** Whether a character is not displayed: joiners, direction marks, variation selectors, fillers, soft hyphens. */
export function isInvisible(code: number): boolean {
  switch (code >> 8) {
    case 0x00:
      return code === 0xad
    case 0x03:
      return code === 0x34f
    case 0x06:
      return code === 0x61c
    case 0x11:
      return code === 0x115f || code === 0x1160
    case 0x17:
      return code === 0x17b4 || code === 0x17b5
    case 0x18:
      return code >= 0x180b && code <= 0x180f
    case 0x20:
      return (
        (code >= 0x200b && code <= 0x200f) ||
        (code >= 0x202a && code <= 0x202e) ||
        (code >= 0x2060 && code <= 0x206f)
      )
    case 0x31:
      return code === 0x3164
    case 0xfe:
      return code <= 0xfe0f || code === 0xfeff
    case 0xff:
      return code === 0xffa0 || (code >= 0xfff0 && code <= 0xfff8)
    default:
      return code >= 0xe0000 && code <= 0xe0fff
  }
}

/** High surrogates of mathematical letters (U+1D400 …), and of tags and variation selectors (U+E0000 …). */
export const mathematicalLead = 0xd835
export const tagLead = 0xdb40

function isDisguised(unit: number): boolean {
  if (isInvisible(unit)) return true
  return (
    (unit >= 0xff01 && unit <= 0xff5e) ||
    (unit >= 0x2100 && unit <= 0x214f) ||
    (unit >= 0x2460 && unit <= 0x24ff) ||
    unit === 0x3000 ||
    unit === mathematicalLead ||
    unit === tagLead
  )
}

export const digitBit = 1
export const upperBit = 2
export const lowerBit = 4
export const hexDigitBit = 8
/** `+ / - _`: part of the base64 alphabets, but also separators of words. */
export const joinerBit = 16
export const blankBit = 32
/** Token characters: letters, digits and `+ / - _ = . ~`. */
export const tokenBit = 64
export const letterBits = upperBit | lowerBit
export const alphanumericBits = letterBits | digitBit
/** The characters of base64 in both alphabets, without padding. */
export const runBits = alphanumericBits | joinerBit

/** The character classes of each byte. */
export const classBits = new Uint8Array(256)
for (let code = 0; code < 256; code++) {
  const char = String.fromCharCode(code)
  if (/[0-9]/.test(char)) classBits[code]! |= digitBit
  if (/[A-Z]/.test(char)) classBits[code]! |= upperBit
  if (/[a-z]/.test(char)) classBits[code]! |= lowerBit
  if (/[0-9A-Fa-f]/.test(char)) classBits[code]! |= hexDigitBit
  if (/[+/\-_]/.test(char)) classBits[code]! |= joinerBit
  if (/[ \t]/.test(char)) classBits[code]! |= blankBit
  if (/[A-Za-z0-9+/\-_=.~]/.test(char)) classBits[code]! |= tokenBit
}

/** The value of each hexadecimal digit; -1 for other bytes. */
export const hexValues = new Int8Array(256).fill(-1)
for (let value = 0; value < 16; value++) {
  hexValues[value.toString(16).charCodeAt(0)] = value
  hexValues[value.toString(16).toUpperCase().charCodeAt(0)] = value
}

/** The number written with exactly `digits` hexadecimal digits at an offset, or -1. */
export function hexNumber(bytes: Uint8Array, at: number, digits: number): number {
  let value = 0
  for (let i = at; i < at + digits; i++) {
    const digit = hexValues[bytes[i] ?? 0]!
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

export function skipBlanks(bytes: Uint8Array, at: number): number {
  let i = at
  while ((classBits[bytes[i]!]! & blankBit) !== 0) i++
  return i
}

/** Skips a line break (LF or CRLF) at an offset, if there is one. */
export function skipLineBreak(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x0a) return at + 1
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? at + 2 : at
}

/** The start of the line that contains an offset. */
export function lineStart(bytes: Uint8Array, at: number): number {
  let i = at
  while (i > 0 && bytes[i - 1] !== 0x0a) i--
  return i
}
