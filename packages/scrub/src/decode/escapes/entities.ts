import { addEdit, type Edits } from '../text/edits.ts'
import { replaceCharacter } from '../text/escaped-character.ts'
import { classBits, alphanumericBits, digitBit, hexValues, type DecodeSource } from '../text/source.ts'

/** HTML names of ASCII and invisible characters. */
const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['AMP', '&'],
  ['lt', '<'],
  ['LT', '<'],
  ['gt', '>'],
  ['GT', '>'],
  ['quot', '"'],
  ['QUOT', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['NonBreakingSpace', ' '],
  ['Tab', '\t'],
  ['NewLine', '\n'],
  ['excl', '!'],
  ['num', '#'],
  ['dollar', '$'],
  ['percnt', '%'],
  ['lpar', '('],
  ['rpar', ')'],
  ['ast', '*'],
  ['midast', '*'],
  ['plus', '+'],
  ['comma', ','],
  ['hyphen', '-'],
  ['dash', '-'],
  ['period', '.'],
  ['sol', '/'],
  ['colon', ':'],
  ['semi', ';'],
  ['equals', '='],
  ['quest', '?'],
  ['commat', '@'],
  ['lsqb', '['],
  ['lbrack', '['],
  ['bsol', '\\'],
  ['rsqb', ']'],
  ['rbrack', ']'],
  ['Hat', '^'],
  ['lowbar', '_'],
  ['UnderBar', '_'],
  ['grave', '`'],
  ['DiacriticalGrave', '`'],
  ['lcub', '{'],
  ['lbrace', '{'],
  ['verbar', '|'],
  ['vert', '|'],
  ['VerticalLine', '|'],
  ['rcub', '}'],
  ['rbrace', '}'],
  ['shy', ''],
  ['zwj', ''],
  ['zwnj', ''],
  ['lrm', ''],
  ['rlm', ''],
  ['NoBreak', ''],
  ['ZeroWidthSpace', ''],
])

const maxNameLength = 18
/** What may follow a number without a semicolon: white space, the end of the text, `" ' & , <`. */
const terminators = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x26, 0x27, 0x2c, 0x3c])

/** `&lt;`, `&#103;`, `&#x67;`. Like browsers, accepts numbers without a semicolon. */
export function readAmpersand(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes, text } = source
  const next = bytes[at + 1]!
  if (next === 0x23) return readNumber(source, at, edits)
  if ((classBits[next]! & alphanumericBits) === 0) return at + 1
  let end = at + 2
  while (end <= at + maxNameLength && (classBits[bytes[end]!]! & alphanumericBits) !== 0) end++
  if (bytes[end] !== 0x3b) return at + 1
  const reading = named.get(text.slice(at + 1, end))
  if (reading === undefined) return at + 1
  addEdit(edits, at, end + 1, reading, true)
  return end + 1
}

function readNumber(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const isHexadecimal = bytes[at + 2] === 0x78 || bytes[at + 2] === 0x58
  const start = at + (isHexadecimal ? 3 : 2)
  let end = start
  let code = 0
  while (end < start + 8) {
    const byte = bytes[end]!
    if (isHexadecimal ? hexValues[byte]! < 0 : (classBits[byte]! & digitBit) === 0) break
    code = code * (isHexadecimal ? 16 : 10) + hexValues[byte]!
    end++
  }
  const isClosed = bytes[end] === 0x3b
  const isComplete = isClosed || (end > start + 1 && terminators.has(bytes[end]!))
  if (end === start || !isComplete || code > 0x10ffff) return at + 1
  return replaceCharacter(source, at, isClosed ? end + 1 : end, code, edits)
}
