import { Buffer } from 'node:buffer'
import type { Codec } from './encoded-run.ts'
import { mayStartText } from '../text/readable.ts'
import { hexDigitBit, hexNumber } from '../text/source.ts'

/** Two hexadecimal digits per byte, in either case. */
export const hexCodec: Codec = {
  characters: 2,
  bytes: 1,
  member: hexDigitBit,
  padding: 0,
  decode: (text) => Buffer.from(text, 'hex'),
  mayBeText: (source, start) => mayStartText[hexNumber(source, start, 4)] === 1,
  sniff: (source, start, end, into) => {
    let length = 0
    for (let at = start; at + 2 <= end && length < into.length; at += 2) {
      into[length++] = hexNumber(source, at, 2)
    }
    return length
  },
}
