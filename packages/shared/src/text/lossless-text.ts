/**
 * Any bytes as text, and back without loss: UTF-8, where each byte that is none of it becomes a lone surrogate of its own,
 * U+DC80 to U+DCFF. No UTF-8 means one of those, so that every text read this way stands for one sequence of bytes.
 */

import { isUtf8 } from 'node:buffer'

export interface TextReader {
  /** The text of these bytes, up to the last whole character; the rest waits for more. */
  read(bytes: Uint8Array): string
  /** What is left when nothing more comes. */
  end(): string
}

const noBytes = Buffer.alloc(0)

export function createTextReader(): TextReader {
  let held = noBytes
  return {
    read(bytes) {
      const given = held.length === 0 ? viewOf(bytes) : Buffer.concat([held, bytes])
      const whole = given.length - unfinished(given)
      // Copied: who gave the bytes may use their place again.
      held = Buffer.from(given.subarray(whole))
      return textOf(given.subarray(0, whole))
    },
    end() {
      const left = textOf(held)
      held = noBytes
      return left
    },
  }
}

/** The bytes that a text read here came from. Lone surrogates that stand for no byte become U+FFFD. */
export function losslessBytes(text: string): Buffer {
  return text.isWellFormed() ? Buffer.from(text) : bytesOfAny(text)
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : textOfAny(bytes)
}

/** How many bytes at the end begin a character that needs more of them. */
function unfinished(bytes: Uint8Array): number {
  const most = Math.min(3, bytes.length)
  for (let back = 1; back <= most; back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return lengthFrom(byte) > back ? back : 0
  }
  return 0
}

/** Of the character that begins with this byte; 1 where none does. */
function lengthFrom(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

function textOfAny(bytes: Uint8Array): string {
  const units = Buffer.allocUnsafe(bytes.length * 2)
  let length = 0
  const add = (unit: number): void => {
    units[length++] = unit & 0xff
    units[length++] = unit >> 8
  }
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at]!
    const code = first < 0x80 ? first : codePointAt(bytes, at)
    if (code === undefined) {
      add(0xdc00 + first)
      at++
    } else if (code > 0xffff) {
      add(0xd7c0 + (code >> 10))
      add(0xdc00 + (code & 0x3ff))
      at += 4
    } else {
      add(code)
      at += lengthFrom(first)
    }
  }
  return units.toString('utf16le', 0, length)
}

/** The character of more than one byte that begins here; undefined where none does. */
function codePointAt(bytes: Uint8Array, at: number): number | undefined {
  const first = bytes[at]!
  const length = lengthFrom(first)
  if (length === 1 || at + length > bytes.length) return undefined
  let code = first & (0x7f >> length)
  for (let next = at + 1; next < at + length; next++) {
    if ((bytes[next]! & 0xc0) !== 0x80) return undefined
    code = (code << 6) | (bytes[next]! & 0x3f)
  }
  const least = length === 3 ? 0x800 : 0x1_0000
  if (length > 2 && code < least) return undefined
  return (code >= 0xd800 && code <= 0xdfff) || code > 0x10_ffff ? undefined : code
}

function bytesOfAny(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length * 3)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!
    if (code < 0x80) {
      bytes[length++] = code
    } else if (code >= 0xdc80 && code <= 0xdcff) {
      bytes[length++] = code - 0xdc00
    } else {
      length += bytes.write(code > 0xffff ? text.slice(at, at + 2) : text[at]!, length)
      if (code > 0xffff) at++
    }
  }
  return bytes.subarray(0, length)
}
