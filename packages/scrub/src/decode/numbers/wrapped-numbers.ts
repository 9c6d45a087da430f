import { byteView, type ByteList } from './byte-groups.ts'
import type { InflateBudget } from '../text/compression.ts'
import { classBits, digitBit, type DecodeSource } from '../text/source.ts'

/** Maximum distance between two numbers of a list. */
const maxSeparatorLength = 32

/** The offset of the number wrapped by the two characters at `at` (`chr(103`, `[char]103`, `103u8`, `(byte) 103`), or -1. */
export function wrappedNumberAt({ bytes, text }: DecodeSource, at: number): number {
  const isCast = bytes[at] === 0x65 && text.startsWith('(byte) ', at - 4)
  const isCall =
    (bytes[at]! | 0x20) === 0x72 && /ch(?:ar|r)[(\]]$/i.test(text.slice(Math.max(0, at - 3), at + 2))
  const place = isCast ? at + 3 : isCall ? at + 2 : at - 1
  return (isCast || isCall || bytes[at] === 0x75) && place >= 0 && isDigit(bytes, place) ? place : -1
}

/**
 * Bytes with a type suffix, cast or call: `103u8, 104u8`, `(byte) 103, (byte) 104`, `chr(103) . chr(104)`. Starts at the
 * number at an offset. The text between any two numbers must be the same except for white space.
 */
export function readWrappedNumbers(
  source: DecodeSource,
  place: number,
  budget: InflateBudget,
): ByteList | undefined {
  const { bytes, text } = source
  let start = place
  while (start > 0 && isDigit(bytes, start - 1)) start--
  const values: number[] = []
  let wrapping: string | undefined
  let at = start
  let end = start
  for (;;) {
    let value = 0
    const first = at
    while (at < first + 4 && isDigit(bytes, at)) value = value * 10 + bytes[at++]! - 0x30
    if (at === first || value > 255) break
    values.push(value)
    end = at
    if (wrapping === undefined) {
      const next = nextNumber(bytes, bytes[at] === 0x75 ? at + 2 : at)
      if (next < 0) break
      wrapping = text.slice(at, next).replaceAll(/\s+/g, '')
    }
    at = skipWrapping(bytes, at, wrapping)
  }
  return { view: byteView(values, start, end, budget), end: Math.max(end, place) }
}

function isDigit(bytes: Uint8Array, at: number): boolean {
  return (classBits[bytes[at]!]! & digitBit) !== 0
}

function nextNumber(bytes: Uint8Array, from: number): number {
  for (let at = from; at < from + maxSeparatorLength; at++) if (isDigit(bytes, at)) return at
  return -1
}

/** Skips the text between two numbers, ignoring white space in and after it; -1 if it differs. */
function skipWrapping(bytes: Uint8Array, from: number, wrapping: string): number {
  const limit = from + maxSeparatorLength * 2
  let at = from
  for (let part = 0; at < limit; at++) {
    if (part < wrapping.length && bytes[at] === wrapping.charCodeAt(part)) part++
    else if (bytes[at]! > 0x20 || bytes[at] === 0) return part === wrapping.length ? at : -1
  }
  return -1
}
