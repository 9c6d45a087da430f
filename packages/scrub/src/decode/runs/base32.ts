import { Buffer } from 'node:buffer'
import type { Codec } from './encoded-run.ts'
import { mayStartText } from '../text/readable.ts'
import { alphanumericBits } from '../text/source.ts'

const values = new Int8Array(256).fill(-1)
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
for (let value = 0; value < alphabet.length; value++) {
  values[alphabet.charCodeAt(value)] = value
  values[alphabet.toLowerCase().charCodeAt(value)] = value
}

/** Base32 (RFC 4648), in either case. */
export const base32Codec: Codec = {
  characters: 8,
  bytes: 5,
  member: alphanumericBits,
  padding: 6,
  decode: (text) => {
    const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8))
    return bytes.subarray(0, decodeInto(Buffer.from(text, 'latin1'), 0, text.length, bytes))
  },
  mayBeText: (source, start) => {
    const bits =
      (values[source[start]!]! << 15) |
      (values[source[start + 1]!]! << 10) |
      (values[source[start + 2]!]! << 5) |
      values[source[start + 3]!]!
    return bits >= 0 && mayStartText[bits >> 4] === 1
  },
  sniff: (source, start, end, into) => decodeInto(source, start, end, into),
}

/** Decodes until `into` is full, the characters end, or one is not base32; returns the number of bytes. */
function decodeInto(source: Uint8Array, start: number, end: number, into: Uint8Array): number {
  let bits = 0
  let held = 0
  let length = 0
  for (let at = start; at < end && length < into.length; at++) {
    const value = values[source[at]!]!
    if (value < 0) break
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    into[length++] = (held >> bits) & 0xff
  }
  return length
}
