import { byteView, type ByteList } from './byte-groups.ts'
import type { InflateBudget } from '../text/compression.ts'
import { classBits, digitBit, type DecodeSource } from '../text/source.ts'

/** Between two numbers no language writes more. */
const maxSeparatorLength = 32

/** Where the number is that the two characters at a place may belong to (`chr(103`, `[char]103`, `103u8`, `(byte) 103`), or -1. */
export function dressedNumberAt({ bytes, text }: DecodeSource, at: number): number {
  const isCast = bytes[at] === 0x65 && text.startsWith('(byte) ', at - 4)
  const isCall =
    (bytes[at]! | 0x20) === 0x72 && /ch(?:ar|r)[(\]]$/i.test(text.slice(Math.max(0, at - 3), at + 2))
  const place = isCast ? at + 3 : isCall ? at + 2 : at - 1
  return (isCast || isCall || bytes[at] === 0x75) && place >= 0 && isDigit(bytes, place) ? place : -1
}

/**
 * Bytes as the languages want them: `103u8, 104u8`, `(byte) 103, (byte) 104`, `chr(103) . chr(104)`. From the number
 * at a place on, with the same text between each two; blanks and line breaks may differ.
 */
export function dressedNumbers(
  source: DecodeSource,
  place: number,
  budget: InflateBudget,
): ByteList | undefined {
  const { bytes, text } = source
  let start = place
  while (start > 0 && isDigit(bytes, start - 1)) start--
  const values: number[] = []
  let separators: string | undefined
  let at = start
  let end = start
  for (;;) {
    let value = 0
    const first = at
    while (at < first + 4 && isDigit(bytes, at)) value = value * 10 + bytes[at++]! - 0x30
    if (at === first || value > 255) break
    values.push(value)
    end = at
    if (separators === undefined) {
      const next = nextNumber(bytes, bytes[at] === 0x75 ? at + 2 : at)
      if (next < 0) break
      separators = text.slice(at, next).replaceAll(/\s+/g, '')
    }
    at = afterDress(bytes, at, separators)
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

/** Behind the text between two numbers, whatever the blanks in it, and those after it. */
function afterDress(bytes: Uint8Array, from: number, separators: string): number {
  const limit = from + maxSeparatorLength * 2
  let at = from
  for (let part = 0; at < limit; at++) {
    if (part < separators.length && bytes[at] === separators.charCodeAt(part)) part++
    else if (bytes[at]! > 0x20 || bytes[at] === 0) return part === separators.length ? at : -1
  }
  return -1
}
