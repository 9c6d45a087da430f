import { Buffer } from 'node:buffer'
import { bytesText, type ByteList } from './byte-groups.ts'
import { cellStyle, type Row } from './dump-cells.ts'
import type { InflateBudget } from '../text/compression.ts'
import {
  blankBit,
  classBits,
  hexDigitBit,
  hexNumber,
  skipBlanks,
  skipLineBreak,
  type DecodeSource,
} from '../text/source.ts'

/** Addresses have so many digits. */
const minDigits = 4
const maxDigits = 16
/** Rows have at most so many bytes. */
const maxRowLength = 64
const minBytes = 8
/** A longer line is no row. */
const maxLineLength = 512
/** What stands in front of an address at the start of a line. */
const maxMarkLength = 16
const zeroAddress = /(?<![0-9A-Za-z])(?:0x)?0{4,16}(?=[:\s])/g

/** From a place in a row, its address is no further away. */
const maxPrefixLength = 160

/** The dump with a row that begins shortly before a place, with its line or behind what else was printed there. */
export function dumpAround(
  source: DecodeSource,
  place: number,
  floor: number,
  budget: InflateBudget,
): ByteList | undefined {
  const { bytes } = source
  const limit = Math.max(floor, place - maxPrefixLength)
  let line = place
  while (line > limit && bytes[line - 1] !== 0x0a) line--
  const isLineStart = line === 0 || bytes[line - 1] === 0x0a
  const row =
    (isLineStart ? rowAt(source, line) : undefined) ?? zeroRowWithin(source, line, place + maxDigits)
  return row && dumpFrom(source, rowBefore(source, row) ?? row, budget)
}

/** The first row, one line up, where it does not begin its line. */
function rowBefore(source: DecodeSource, row: Row): Row | undefined {
  const { bytes } = source
  let lineEnd = row.start
  while (lineEnd > row.start - maxMarkLength && lineEnd > 0 && bytes[lineEnd] !== 0x0a) lineEnd--
  if (row.address === 0 || bytes[lineEnd] !== 0x0a) return undefined
  const first = zeroRowWithin(source, Math.max(0, lineEnd - maxLineLength), lineEnd)
  const distance = first === undefined ? 0 : row.address - first.address
  const isNext = distance > 0 && distance <= maxRowLength && skipLineBreak(bytes, first!.end) === lineEnd + 1
  return isNext ? first : undefined
}

/** The row at address zero that begins in a stretch of a line. */
function zeroRowWithin(source: DecodeSource, start: number, end: number): Row | undefined {
  for (const { index } of source.text.slice(start, end).matchAll(zeroAddress)) {
    const row = rowAt(source, start + index)
    if (row !== undefined) return row
  }
  return undefined
}

/**
 * The dump with this first row, as xxd, hexdump, od, Format-Hex, tcpdump and the like print them: an address, the bytes
 * in groups, perhaps the characters. Nothing where it is no row of one.
 */
function dumpFrom(source: DecodeSource, first: Row, budget: InflateBudget): ByteList | undefined {
  const { bytes } = source
  const style = cellStyle(bytes, first)
  if (style === undefined) return undefined
  const numbers: number[] = []
  let { end } = first
  for (let row: Row | undefined = first; row !== undefined;) {
    const next = nextRow(source, row)
    const known = numbers.length
    style.readRow(bytes, row, rowLength(row, next), numbers)
    const isEmpty = numbers.length === known
    // An address without cells closes the dump; other lines without are no part of it.
    if (isEmpty && skipBlanks(bytes, row.cells) < row.end) break
    end = row.end
    row = isEmpty ? undefined : next
  }
  if (numbers.length < minBytes / 2) return undefined
  const texts = style.readings(numbers).flatMap((reading) => bytesText(reading, budget) ?? strings(reading))
  const { start } = first
  while ((classBits[bytes[end - 1]!]! & blankBit) !== 0) end--
  const view = texts.length === 0 ? undefined : { text: texts.join('\n\n'), locate: () => ({ start, end }) }
  return { view, end }
}

/** The row at the start of a line, behind indentation and the marks of quotes, diffs and tables. */
function rowAt({ bytes, length }: DecodeSource, line: number): Row | undefined {
  let at = skipBlanks(bytes, line)
  while (isMark(bytes[at]!)) at = skipBlanks(bytes, at + 1)
  const start = at
  if (bytes[at] === 0x30 && (bytes[at + 1]! | 0x20) === 0x78) at += 2
  let digits = 0
  while (digits <= maxDigits && (classBits[bytes[at + digits]!]! & hexDigitBit) !== 0) digits++
  if (digits < minDigits || digits > maxDigits) return undefined
  // Four digits and a blank, or eight, may as well be bytes.
  const isMarked =
    at > start || bytes[at + digits] === 0x3a || (classBits[bytes[at + digits + 1]!]! & blankBit) !== 0
  if ((digits === 4 || digits === 8) && !isMarked) return undefined
  const address = hexNumber(bytes, at, digits)
  at += digits
  if (bytes[at] === 0x3a) at++
  const isSetOff = (classBits[bytes[at]!]! & blankBit) !== 0 || bytes[at] === 0x0a || bytes[at] === 0x0d
  if (!isSetOff && at < length) return undefined
  const limit = Math.min(length, start + maxLineLength)
  let end = at
  while (end < limit && bytes[end] !== 0x0a && bytes[end] !== 0x0d) end++
  return end === limit && limit < length ? undefined : { start, address, cells: at, end }
}

/** `> | + #` */
function isMark(byte: number): boolean {
  return byte === 0x3e || byte === 0x7c || byte === 0x2b || byte === 0x23
}

/** The row in the next line; a line with a star stands for rows like the last one. */
function nextRow(source: DecodeSource, row: Row): Row | undefined {
  const { bytes, length } = source
  let line = skipLineBreak(bytes, row.end)
  if (bytes[line] === 0x2a) line = skipLineBreak(bytes, line + 1)
  return line === row.end || line >= length ? undefined : rowAt(source, line)
}

/** The addresses tell how many bytes a row has, so that the characters behind them are not taken for more. */
function rowLength(row: Row, next: Row | undefined): number {
  const distance = next === undefined ? 0 : next.address - row.address
  return distance > 0 && distance <= maxRowLength ? distance : maxRowLength
}

/** What `strings` would show of bytes that are not text as a whole. */
function strings(bytes: readonly number[]): string[] {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]+/g, '\n')
  return /[^\n]{8}/.test(text) ? [text] : []
}
