import { Buffer } from 'node:buffer'
import type { View } from '../../text/span.ts'
import type { InflateBudget } from '../text/compression.ts'
import { contentStart } from '../text/line-prefix.ts'
import { guessFormat, readAs, maxSniffedBytes } from '../text/readable.ts'
import {
  classBits,
  hexDigitBit,
  hexNumber,
  lineStart,
  skipLineBreak,
  type DecodeSource,
} from '../text/source.ts'

/** A list of bytes: where it ends, and its decoded view if it is text. */
export interface ByteList {
  readonly view: View | undefined
  readonly end: number
}

const minBytes = 8

/** A view of the bytes as text, located at the whole list; undefined if they are too few or not text. */
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
  if (bytes.length < minBytes) return undefined
  const buffer = Buffer.from(bytes)
  const format = guessFormat(buffer, Math.min(maxSniffedBytes, buffer.length))
  return format && readAs(buffer, format, budget)?.text
}

/** Reverses the bytes of each word, because the byte order of printed words is unknown. */
export function withBytesSwapped(bytes: readonly number[], word: number): number[] {
  return bytes.map((_, at) => bytes[at - (at % word) + word - 1 - (at % word)] ?? 0)
}

/**
 * Groups of equal width with the same separator, hexadecimal (`67:68:70`, `67 68 70`, `6768 705f`) or binary, possibly
 * over several lines, around the separator at an offset. Undefined if no group precedes it.
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
  const separatorByte = bytes[separator]!
  const values: number[] = []
  let firstLine = -1
  let at = start
  let end = start
  const isBinary = width === 8 && binaryByte(bytes, start) >= 0
  while (hexLength(bytes, at) === width) {
    if (isBinary) values.push(binaryByte(bytes, at) & 0xff)
    else for (let i = at; i < at + width; i += 2) values.push(hexNumber(bytes, i, 2))
    end = at + width
    at = bytes[end] === separatorByte ? end + 1 : end
    const line = skipLineBreak(bytes, at)
    if (line > at) {
      if (firstLine < 0) firstLine = lineStart(bytes, start)
      at = contentStart(bytes, firstLine, line)
    } else if (at === end) break
    else if (separatorByte === 0x20 && bytes[at] === 0x20) at++
  }
  const readings = width === 2 || isBinary ? [values] : [values, withBytesSwapped(values, width / 2)]
  const texts = readings.flatMap((reading) => bytesText(reading, budget) ?? [])
  const view = texts.length === 0 ? undefined : { text: texts.join('\n\n'), locate: () => ({ start, end }) }
  return { view, end }
}

/** The byte written with eight binary digits at an offset, or -1. */
export function binaryByte(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let i = at; i < at + 8; i++) {
    if (bytes[i] !== 0x30 && bytes[i] !== 0x31) return -1
    value = value * 2 + bytes[i]! - 0x30
  }
  return value
}

/** Where the groups before a separator start, or -1 if no group has that width. */
function firstGroup(bytes: Uint8Array, separator: number, width: number, floor: number): number {
  const separatorByte = bytes[separator]!
  let start = separator
  for (;;) {
    const group = start - width
    if (group < floor || hexLength(bytes, group) !== width) break
    if (group > 0 && (classBits[bytes[group - 1]!]! & hexDigitBit) !== 0) break
    start = group
    if (start === 0 || bytes[start - 1] !== separatorByte) return start
    start--
  }
  return start === separator ? -1 : start + 1
}

/** Number of hexadecimal digits at an offset, up to 9: groups have at most eight. */
function hexLength(bytes: Uint8Array, at: number): number {
  let length = 0
  while (length < 9 && (classBits[bytes[at + length]!]! & hexDigitBit) !== 0) length++
  return length
}
