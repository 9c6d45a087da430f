import { Buffer } from 'node:buffer'
import type { Codec } from './encoded-run.ts'
import { mayStartText } from '../text/readable.ts'
import { runBits } from '../text/source.ts'

const values = new Uint8Array(256)
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value
values[0x2d] = 62
values[0x5f] = 63

/** Base64 in both alphabets, even mixed, with or without padding. */
export const base64Codec: Codec = {
  characters: 4,
  bytes: 3,
  member: runBits,
  padding: 2,
  decode: (text) => Buffer.from(text, 'base64'),
  mayBeText: (source, start) => {
    const second = values[source[start + 1]!]!
    return (
      mayStartText[
        (((values[source[start]!]! << 2) | (second >> 4)) << 8) |
          ((second & 0xf) << 4) |
          (values[source[start + 2]!]! >> 2)
      ] === 1
    )
  },
  sniff: (source, start, end, into) => {
    let length = 0
    for (let at = start; at + 4 <= end && length + 3 <= into.length; at += 4) {
      const group =
        (values[source[at]!]! << 18) |
        (values[source[at + 1]!]! << 12) |
        (values[source[at + 2]!]! << 6) |
        values[source[at + 3]!]!
      into[length++] = group >> 16
      into[length++] = (group >> 8) & 0xff
      into[length++] = group & 0xff
    }
    return length
  },
}
