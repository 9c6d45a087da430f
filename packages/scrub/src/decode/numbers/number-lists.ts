import type { View } from '../../text/span.ts'
import { byteView, type ByteList } from './byte-groups.ts'
import type { InflateBudget } from '../text/compression.ts'
import {
  alphanumericBits,
  classBits,
  digitBit,
  hexDigitBit,
  hexNumber,
  type DecodeSource,
} from '../text/source.ts'

/** Digits, commas and white space. */
const listCharacters = new Uint8Array(256)
for (const character of '0123456789, \t\r\n') listCharacters[character.charCodeAt(0)] = 1

const maxBlanks = 64

/** Decimal bytes as in printed arrays: `[103, 104, 112, …]`, `[103 104 112 …]`, or one per line. */
export function decimalsAround(
  source: DecodeSource,
  place: number,
  floor: number,
  budget: InflateBudget,
  views: View[],
): number {
  const { bytes, length } = source
  let at = place
  while (at > floor && listCharacters[bytes[at - 1]!] === 1) at--
  if (at > 0 && isPartOfNumber(bytes[at - 1]!)) while ((classBits[bytes[at]!]! & digitBit) !== 0) at++
  let values: number[] = []
  let start = at
  let end = at
  const finish = (): void => {
    const view = byteView(values, start, end, budget)
    if (view !== undefined) views.push(view)
    values = []
  }
  while (at < length && listCharacters[bytes[at]!] === 1) {
    if ((classBits[bytes[at]!]! & digitBit) === 0) {
      at++
      continue
    }
    const first = at
    let value = 0
    while ((classBits[bytes[at]!]! & digitBit) !== 0) value = Math.min(256, value * 10 + bytes[at++]! - 0x30)
    if (value > 255 || isPartOfNumber(bytes[at]!)) {
      finish()
      continue
    }
    if (values.length === 0) start = first
    values.push(value)
    end = at
  }
  finish()
  return at
}

/** `1.5`, `-3`, `12px`: the digits are not an integer by themselves. */
function isPartOfNumber(byte: number): boolean {
  return (classBits[byte]! & alphanumericBits) !== 0 || byte === 0x2e || byte === 0x2d || byte === 0x5f
}

/** Byte literals of source code, `0x67, 0x68, 0x70, …`, around the `0x` at an offset. */
export function hexLiteralsAround(
  source: DecodeSource,
  place: number,
  floor: number,
  budget: InflateBudget,
): ByteList {
  const { bytes } = source
  const start = firstLiteral(bytes, place, floor)
  const values: number[] = []
  let at = start
  let end = place + 2
  while (isHexLiteral(bytes, at)) {
    values.push(hexNumber(bytes, at + 2, 2))
    end = at + 4
    at = end
    if (bytes[at] === 0x2c || bytes[at] === 0x3b || bytes[at] === 0x3a) at++
    const limit = at + maxBlanks
    while (at < limit && bytes[at] !== 0x30 && listCharacters[bytes[at]!] === 1) at++
  }
  return { view: byteView(values, start, end, budget), end }
}

function firstLiteral(bytes: Uint8Array, place: number, floor: number): number {
  let first = place
  for (;;) {
    const limit = Math.max(floor, first - maxBlanks)
    let at = first - 1
    while (at > limit && (listCharacters[bytes[at]!] === 1 || bytes[at] === 0x3b || bytes[at] === 0x3a)) at--
    // Stops at the `x` of the previous literal.
    while (at > limit && (classBits[bytes[at]!]! & hexDigitBit) !== 0) at--
    if (at - 1 < floor || !isHexLiteral(bytes, at - 1)) return first
    first = at - 1
  }
}

function isHexLiteral(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x30 &&
    (bytes[at + 1]! | 0x20) === 0x78 &&
    hexNumber(bytes, at + 2, 2) >= 0 &&
    (classBits[bytes[at + 4]!]! & hexDigitBit) === 0
  )
}
