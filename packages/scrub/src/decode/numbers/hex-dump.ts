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

/** Number of digits of an address. */
const minDigits = 4
const maxDigits = 16
/** Maximum number of bytes per row. */
const maxRowBytes = 64
const minBytes = 8
/** Longer lines are not rows. */
const maxLineLength = 512
/** Maximum length of the prefix of a line before the address. */
const maxLinePrefixLength = 16
const zeroAddress = /(?<![0-9A-Za-z])(?:0x)?0{4,16}(?=[:\s])/g

/** Maximum distance of an offset in a row from the row's address. */
const maxAddressDistance = 160

/** The dump with a row that starts shortly before an offset, at the start of a line or after other output. */
export function dumpAround(
  source: DecodeSource,
  place: number,
  floor: number,
  budget: InflateBudget,
): ByteList | undefined {
  const { bytes } = source
  const limit = Math.max(floor, place - maxAddressDistance)
  let line = place
  while (line > limit && bytes[line - 1] !== 0x0a) line--
  const isLineStart = line === 0 || bytes[line - 1] === 0x0a
  const row =
    (isLineStart ? rowAt(source, line) : undefined) ?? zeroRowWithin(source, line, place + maxDigits)
  return row && dumpFrom(source, rowBefore(source, row) ?? row, budget)
}

/** The first row, on the previous line, if that line starts with other output. */
function rowBefore(source: DecodeSource, row: Row): Row | undefined {
  const { bytes } = source
  let lineEnd = row.start
  while (lineEnd > row.start - maxLinePrefixLength && lineEnd > 0 && bytes[lineEnd] !== 0x0a) lineEnd--
  if (row.address === 0 || bytes[lineEnd] !== 0x0a) return undefined
  const first = zeroRowWithin(source, Math.max(0, lineEnd - maxLineLength), lineEnd)
  const distance = first === undefined ? 0 : row.address - first.address
  const isNext = distance > 0 && distance <= maxRowBytes && skipLineBreak(bytes, first!.end) === lineEnd + 1
  return isNext ? first : undefined
}

/** The row with address zero in part of a line. */
function zeroRowWithin(source: DecodeSource, start: number, end: number): Row | undefined {
  for (const { index } of source.text.slice(start, end).matchAll(zeroAddress)) {
    const row = rowAt(source, start + index)
    if (row !== undefined) return row
  }
  return undefined
}

/**
 * The dump with this first row, as printed by xxd, hexdump, od, Format-Hex, tcpdump and similar tools: an address, the
 * bytes in groups, and possibly the characters. Undefined if this is not a row of a dump.
 */
function dumpFrom(source: DecodeSource, first: Row, budget: InflateBudget): ByteList | undefined {
  const { bytes } = source
  const style = cellStyle(bytes, first)
  if (style === undefined) return undefined
  const numbers: number[] = []
  let { end } = first
  for (let row: Row | undefined = first; row !== undefined;) {
    const next = nextRow(source, row)
    const countBefore = numbers.length
    style.readRow(bytes, row, rowLength(row, next), numbers)
    const isEmpty = numbers.length === countBefore
    // An address without cells ends the dump. Other lines without cells are not part of it.
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

/** The row of a line, after indentation and the prefixes of quotes, diffs and tables. */
function rowAt({ bytes, length }: DecodeSource, line: number): Row | undefined {
  let at = skipBlanks(bytes, line)
  while (isLinePrefix(bytes[at]!)) at = skipBlanks(bytes, at + 1)
  const start = at
  if (bytes[at] === 0x30 && (bytes[at + 1]! | 0x20) === 0x78) at += 2
  let digits = 0
  while (digits <= maxDigits && (classBits[bytes[at + digits]!]! & hexDigitBit) !== 0) digits++
  if (digits < minDigits || digits > maxDigits) return undefined
  // Four or eight digits followed by a single space may also be bytes.
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
function isLinePrefix(byte: number): boolean {
  return byte === 0x3e || byte === 0x7c || byte === 0x2b || byte === 0x23
}

/** The row on the next line, skipping an asterisk that represents repeated rows. */
function nextRow(source: DecodeSource, row: Row): Row | undefined {
  const { bytes, length } = source
  let line = skipLineBreak(bytes, row.end)
  if (bytes[line] === 0x2a) line = skipLineBreak(bytes, line + 1)
  return line === row.end || line >= length ? undefined : rowAt(source, line)
}

/** Number of bytes in a row, from the addresses, so that the character column is not read as more bytes. */
function rowLength(row: Row, next: Row | undefined): number {
  const distance = next === undefined ? 0 : next.address - row.address
  return distance > 0 && distance <= maxRowBytes ? distance : maxRowBytes
}

/** What the `strings` command would print for binary data. */
function strings(bytes: readonly number[]): string[] {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]+/g, '\n')
  return /[^\n]{8}/.test(text) ? [text] : []
}
