import { binaryByte, withBytesSwapped } from './byte-groups.ts'
import { octalNumber } from '../escapes/escapes.ts'
import { blankBit, classBits, digitBit, hexDigitBit, hexNumber, skipBlanks } from '../text/source.ts'

/** One row of a dump: an address, then cells up to the end of the line. */
export interface Row {
  readonly start: number
  readonly address: number
  readonly cells: number
  readonly end: number
}

/** The notation of a dump's cells. */
export interface CellStyle {
  /** Appends at most `maxBytes` numbers of a row, up to the first cell in another style. */
  readRow(bytes: Uint8Array, row: Row, maxBytes: number, into: number[]): void
  /** The possible byte sequences for the numbers of all rows. */
  readings(numbers: readonly number[]): number[][]
}

/** Some tools print a wider gap after the eighth byte. */
const middle = 8
const maxGap = 4

/** Detects the style from the first cells of the first row. */
export function cellStyle(bytes: Uint8Array, row: Row): CellStyle | undefined {
  const at = skipBlanks(bytes, row.cells)
  if (at >= row.end) return undefined
  const width = wordLength(bytes, at, hexDigitBit)
  const next = skipBlanks(bytes, at + width)
  if (!endsCell(bytes, at + width)) return characterCells(bytes, row)
  // Decimal numbers are padded to three characters; hexadecimal ones always have two digits.
  const isDecimal =
    width === 2 &&
    wordLength(bytes, at, digitBit) === width &&
    (next - at > 3 || wordLength(bytes, next, digitBit) === 3)
  if (width === 3 || isDecimal) return byteNumbers
  if (width === 6 && octalWord(bytes, at) >= 0) return octalWords
  if (width === 8 && binaryByte(bytes, at) >= 0) return bits
  if (width === 2 || width === 4 || width === 8 || width === 16) return hexCells(width)
  return characterCells(bytes, row)
}

/** `67 68 70 5f`, `6768 705f`; words in either byte order. */
function hexCells(width: number): CellStyle {
  return {
    readRow: (bytes, row, maxBytes, into) => {
      let at = skipBlanks(bytes, row.cells)
      let count = 0
      let usualGap = 0
      while (at < row.end && count < maxBytes) {
        const length = wordLength(bytes, at, hexDigitBit)
        if (length < 2 || length > width || length % 2 === 1 || !endsCell(bytes, at + length)) return
        for (let i = at; i < at + length; i += 2) into.push(hexNumber(bytes, i, 2))
        count += length / 2
        const next = skipBlanks(bytes, at + length)
        const gap = next - at - length
        if (usualGap === 0) usualGap = gap
        // Except in the middle of a row, a wider gap precedes the character column.
        const isMiddle = width === 2 && count === middle && gap === usualGap + 1
        if (gap > maxGap || (gap !== usualGap && !isMiddle)) return
        at = next
      }
    },
    readings: (numbers) =>
      width === 2 ? [[...numbers]] : [[...numbers], withBytesSwapped(numbers, width / 2)],
  }
}

/** One number per byte: `147 150 160` in octal cannot be told from `103 104 112` in decimal. */
const byteNumbers: CellStyle = {
  readRow: (bytes, row, maxBytes, into) => {
    let at = skipBlanks(bytes, row.cells)
    for (let count = 0; at < row.end && count < maxBytes; count++) {
      const length = wordLength(bytes, at, digitBit)
      if (length === 0 || length > 3 || !endsCell(bytes, at + length)) return
      let value = 0
      for (let i = at; i < at + length; i++) value = value * 10 + bytes[i]! - 0x30
      into.push(value)
      at = skipBlanks(bytes, at + length)
    }
  },
  readings: (numbers) => [numbers.map(asOctal), [...numbers]].filter((reading) => reading.every(isByte)),
}

function asOctal(decimal: number): number {
  return Number.parseInt(String(decimal), 8) + (/[89]/.test(String(decimal)) ? Number.NaN : 0)
}

function isByte(value: number): boolean {
  return value >= 0 && value <= 255
}

/** Two-byte words with six octal digits, the default of `od`. */
const octalWords: CellStyle = {
  readRow: (bytes, row, maxBytes, into) => {
    let at = skipBlanks(bytes, row.cells)
    for (let count = 0; at < row.end && count < maxBytes; count += 2) {
      const word = octalWord(bytes, at)
      if (word < 0 || !endsCell(bytes, at + 6)) return
      into.push(word & 0xff, word >> 8)
      at = skipBlanks(bytes, at + 6)
    }
  },
  readings: (numbers) => [[...numbers]],
}

function octalWord(bytes: Uint8Array, at: number): number {
  if (wordLength(bytes, at, digitBit) !== 6) return -1
  let value = 0
  for (let i = at; i < at + 6; i++) {
    if (bytes[i]! > 0x37) return -1
    value = value * 8 + bytes[i]! - 0x30
  }
  return value <= 0xffff ? value : -1
}

/** `01100111 01101000`: one cell of eight bits per byte. */
const bits: CellStyle = {
  readRow: (bytes, row, maxBytes, into) => {
    let at = skipBlanks(bytes, row.cells)
    for (let count = 0; at < row.end && count < maxBytes; count++) {
      const value = binaryByte(bytes, at)
      if (value < 0 || !endsCell(bytes, at + 8)) return
      into.push(value)
      at = skipBlanks(bytes, at + 8)
    }
  },
  readings: (numbers) => [[...numbers]],
}

const cellWidth = 4
const escapes: ReadonlyMap<string, number> = new Map([
  ['', 0x20],
  ['\\0', 0x00],
  ['\\a', 0x07],
  ['\\b', 0x08],
  ['\\t', 0x09],
  ['\\n', 0x0a],
  ['\\v', 0x0b],
  ['\\f', 0x0c],
  ['\\r', 0x0d],
  ['nul', 0x00],
  ['ht', 0x09],
  ['nl', 0x0a],
  ['cr', 0x0d],
  ['sp', 0x20],
])

/** `  g   h   p  \n`: each character at the end of a four-column cell. */
const characters: CellStyle = {
  readRow: (bytes, row, maxBytes, into) => {
    let count = 0
    for (let at = row.cells; at < row.end && count < maxBytes; at += cellWidth) {
      const cell = String.fromCharCode(...bytes.subarray(at, Math.min(row.end, at + cellWidth))).trim()
      const value = cell.length === 1 ? cell.charCodeAt(0) : (escapes.get(cell) ?? octalNumber(bytes, at + 1))
      if (value < 0) return
      into.push(value)
      count++
    }
  },
  readings: (numbers) => [[...numbers]],
}

/** Requires an `od` address, and a character at the end of at least three of the first four cells. */
function characterCells(bytes: Uint8Array, { start, cells, end }: Row): CellStyle | undefined {
  if (bytes[start] !== 0x30) return undefined
  const isBlank = (at: number): boolean => (classBits[bytes[at]!]! & blankBit) !== 0
  let filled = 0
  for (let at = cells; at < cells + 4 * cellWidth && at + cellWidth <= end; at += cellWidth) {
    if (!isBlank(at)) return undefined
    if (!isBlank(at + cellWidth - 1)) filled++
  }
  return filled >= 3 ? characters : undefined
}

function endsCell(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at]!
  return (classBits[byte]! & blankBit) !== 0 || byte === 0x0a || byte === 0x0d || byte === 0
}

/** Number of characters of a class at an offset, up to 17: cells have at most 16. */
function wordLength(bytes: Uint8Array, at: number, member: number): number {
  let length = 0
  while (length < 17 && (classBits[bytes[at + length]!]! & member) !== 0) length++
  return length
}
