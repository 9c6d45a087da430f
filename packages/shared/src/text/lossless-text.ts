/**
 * Converts any bytes to text and back without loss: UTF-8, where each invalid byte becomes a lone surrogate, U+DC80 to
 * U+DCFF. Valid UTF-8 cannot encode those, so every such text maps to exactly one sequence of bytes.
 */

import { isUtf8 } from 'node:buffer'

export interface TextReader {
  /** The text of these bytes up to the last complete character; an incomplete one is kept for the next call. */
  read(bytes: Uint8Array): string
  /** The remaining text at the end of input. */
  end(): string
}

const noBytes = Buffer.alloc(0)

export function createTextReader(): TextReader {
  let held = noBytes
  return {
    read(bytes) {
      const bytesSoFar = held.length === 0 ? viewOf(bytes) : Buffer.concat([held, bytes])
      const completeLength = bytesSoFar.length - unfinished(bytesSoFar)
      // Copied, because the caller may reuse its buffer.
      held = Buffer.from(bytesSoFar.subarray(completeLength))
      return textOf(bytesSoFar.subarray(0, completeLength))
    },
    end() {
      const rest = textOf(held)
      held = noBytes
      return rest
    },
  }
}

/** The original bytes of such a text. Other lone surrogates become U+FFFD. */
export function losslessBytes(text: string): Buffer {
  return text.isWellFormed() ? Buffer.from(text) : bytesOfAny(text)
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : textOfAny(bytes)
}

/** The number of trailing bytes that belong to an incomplete character. */
function unfinished(bytes: Uint8Array): number {
  const maxBytes = Math.min(3, bytes.length)
  for (let back = 1; back <= maxBytes; back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return lengthFrom(byte) > back ? back : 0
  }
  return 0
}

/** The length of a character by its first byte; 1 if the byte cannot start one. */
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

/** The multi-byte character at this offset; undefined if the bytes are invalid. */
function codePointAt(bytes: Uint8Array, at: number): number | undefined {
  const first = bytes[at]!
  const length = lengthFrom(first)
  if (length === 1 || at + length > bytes.length) return undefined
  let code = first & (0x7f >> length)
  for (let next = at + 1; next < at + length; next++) {
    if ((bytes[next]! & 0xc0) !== 0x80) return undefined
    code = (code << 6) | (bytes[next]! & 0x3f)
  }
  const minCode = length === 3 ? 0x800 : 0x1_0000
  if (length > 2 && code < minCode) return undefined
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
