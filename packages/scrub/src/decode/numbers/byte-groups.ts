import { Buffer } from 'node:buffer'
import type { View } from '../../text/span.ts'
import type { InflateBudget } from '../text/compression.ts'
import { contentStart } from '../text/line-prefix.ts'
import { guess, read, sniffed } from '../text/readable.ts'
import {
  classBits,
  hexDigitBit,
  hexNumber,
  lineStart,
  skipLineBreak,
  type DecodeSource,
} from '../text/source.ts'

/** Bytes that were written one by one: where they end, and what they say if they say anything. */
export interface ByteList {
  readonly view: View | undefined
  readonly end: number
}

const fewest = 8

/** The bytes as text, with the place of all of them; nothing where they are too few or not readable. */
export function byteView(
  bytes: readonly number[],
  start: number,
  end: number,
  budget: InflateBudget,
): View | undefined {
  const text = bytesText(bytes, budget)
  return text === undefined ? undefined : { text, locate: () => ({ start, end }) }
}

export function bytesText(bytes: readonly number[], budget: InflateBudget): string | undefined {
  if (bytes.length < fewest) return undefined
  const buffer = Buffer.from(bytes)
  const guessed = guess(buffer, Math.min(sniffed, buffer.length))
  return guessed && read(buffer, guessed, budget)?.text
}

/** Words of two or more bytes are printed with the first byte in front or behind; which of it, no one says. */
export function withBytesSwapped(bytes: readonly number[], word: number): number[] {
  return bytes.map((_, at) => bytes[at - (at % word) + word - 1 - (at % word)] ?? 0)
}

/**
 * Groups of one width with the same character between them, hexadecimal (`67:68:70`, `67 68 70`, `6768 705f`) or
 * eight bits each, also over several lines, around the separator at a place. Nothing where there is no group before.
 */
export function hexGroupsAround(
  source: DecodeSource,
  separator: number,
  floor: number,
  budget: InflateBudget,
): ByteList | undefined {
  const { bytes } = source
  const width = hexLength(bytes, separator + 1)
  const start = width === 2 || width === 4 || width === 8 ? firstGroup(bytes, separator, width, floor) : -1
  if (start < 0) return undefined
  const mark = bytes[separator]!
  const values: number[] = []
  let firstLine = -1
  let at = start
  let end = start
  const isBinary = width === 8 && binaryByte(bytes, start) >= 0
  while (hexLength(bytes, at) === width) {
    if (isBinary) values.push(binaryByte(bytes, at) & 0xff)
    else for (let i = at; i < at + width; i += 2) values.push(hexNumber(bytes, i, 2))
    end = at + width
    at = bytes[end] === mark ? end + 1 : end
    const line = skipLineBreak(bytes, at)
    if (line > at) {
      if (firstLine < 0) firstLine = lineStart(bytes, start)
      at = contentStart(bytes, firstLine, line)
    } else if (at === end) break
    else if (mark === 0x20 && bytes[at] === 0x20) at++
  }
  const readings = width === 2 || isBinary ? [values] : [values, withBytesSwapped(values, width / 2)]
  const texts = readings.flatMap((reading) => bytesText(reading, budget) ?? [])
  const view = texts.length === 0 ? undefined : { text: texts.join('\n\n'), locate: () => ({ start, end }) }
  return { view, end }
}

/** The byte that eight digits at a place write in bits, or -1. */
export function binaryByte(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let i = at; i < at + 8; i++) {
    if (bytes[i] !== 0x30 && bytes[i] !== 0x31) return -1
    value = value * 2 + bytes[i]! - 0x30
  }
  return value
}

/** Where the groups before a separator begin, or -1 where there is none of that width. */
function firstGroup(bytes: Uint8Array, separator: number, width: number, floor: number): number {
  const mark = bytes[separator]!
  let start = separator
  for (;;) {
    const group = start - width
    if (group < floor || hexLength(bytes, group) !== width) break
    if (group > 0 && (classBits[bytes[group - 1]!]! & hexDigitBit) !== 0) break
    start = group
    if (start === 0 || bytes[start - 1] !== mark) return start
    start--
  }
  return start === separator ? -1 : start + 1
}

/** How many hexadecimal digits stand at a place; more than eight are none of a group. */
function hexLength(bytes: Uint8Array, at: number): number {
  let length = 0
  while (length < 9 && (classBits[bytes[at + length]!]! & hexDigitBit) !== 0) length++
  return length
}
