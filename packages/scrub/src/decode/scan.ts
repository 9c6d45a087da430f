import { readCodePoint } from './escapes/code-points.ts'
import { readQuote } from './escapes/concatenation.ts'
import { readDisguised } from './escapes/disguise.ts'
import { noEdits, type Edits } from './text/edits.ts'
import { readAmpersand } from './escapes/entities.ts'
import { readEscapeAt } from './escapes/escapes.ts'
import { readLineEnd } from './escapes/line-wraps.ts'
import { readPercent } from './escapes/percent.ts'
import { readEquals } from './escapes/quoted-printable.ts'
import { dressedNumberAt } from './numbers/dressed-numbers.ts'
import {
  alphanumericBits,
  classBits,
  digitBit,
  disguisedCharacter,
  type DecodeSource,
} from './text/source.ts'
import { readBackspace, readBracket, readCaret, readEscapeCharacter, readNull } from './text/terminal.ts'

/** What one pass over a source finds worth a closer look. */
export interface Scan {
  /** Everything that reads as something else in its place: escapes, invisible characters, seams. */
  readonly edits: Edits
  /** Where long runs of base64 characters begin, or a little behind: from there, `longRun` characters belong to it. */
  readonly runs: readonly number[]
  /** Places in what may be bytes written one by one. */
  readonly lists: readonly number[]
  /** Where the address of a dump's first row may begin. */
  readonly addresses: readonly number[]
  /** Places in numbers that are dressed up as bytes or characters of a language. */
  readonly dressed: readonly number[]
}

/** Looks at a place where an edit may begin, adds it, and returns where reading goes on. */
type Reader = (source: DecodeSource, at: number, edits: Edits) => number

const any = /[^]/
/** Which two characters an edit may begin with, and who knows whether it does. */
const beginnings: readonly (readonly [first: RegExp, second: RegExp, read: Reader])[] = [
  [/["'`]/, /[+.&|< \t\r\n\\"'`]/, readQuote],
  [/=/, /[?\r\n2-7A-F]/, readEquals],
  [/[A-Za-z0-9+/\-_=~]/, /[\r\n]/, (source, at, edits) => readLineEnd(source, at + 1, edits)],
  [/\\/, /[^A-Za-z ()?{}|^]|[nrtuUxeE]/, readEscapeAt],
  [/\[/, /[0-9]/, readBracket],
  [/%/, /[0-9A-Fa-fu]/, readPercent],
  [/&/, /[#A-Za-z]/, readAmpersand],
  [/[Uu]/, /\+/, readCodePoint],
  [/\^/, /[[@]/, readCaret],
  // oxlint-disable-next-line no-control-regex
  [/\x1b/, any, readEscapeCharacter],
  // oxlint-disable-next-line no-control-regex
  [/\x08/, any, readBackspace],
  // oxlint-disable-next-line no-control-regex
  [/\x00/, any, readNull],
  [new RegExp(`[\xad${String.fromCharCode(disguisedCharacter)}]`), any, readDisguised],
]
const readers: readonly Reader[] = beginnings.map(([, , read]) => read)

/** Two characters of which the second may begin an address, and two that may belong to a dressed number. */
const address = readers.length + 1
const dressedNumber = readers.length + 2
const readerBits = 0x3f
/** Two characters as they follow each other in a run, and in bytes that are written one by one. */
const withinRun = 0x80
const withinList = 0x40

/** For each two bytes what they may be part of: the number of a reader counted from 1, and the two flags. */
const pairs = new Uint8Array(0x10000)
for (const [index, [first, second]] of beginnings.entries()) mark(first, second, index + 1)
mark(/[\t\n>|+]/, /0/, address)
mark(/[Rr]/, /[(\]]/, dressedNumber)
mark(/u/, /8/, dressedNumber)
mark(/e/, /\)/, dressedNumber)
mark(/[A-Za-z0-9+/\-_]/, /[A-Za-z0-9+/\-_]/, withinRun)
mark(/[0-9A-Fa-fx]/, /[0-9A-Fa-fx :,;|\t\r\n]/, withinList)
mark(/[ :,;|\t\r\n]/, /[0-9A-Fa-fx]/, withinList)
mark(/[,;: \t\r\n]/, /[ \t\r\n]/, withinList)

/** Of two readers for the same beginning, the first counts. */
function mark(first: RegExp, second: RegExp, value: number): void {
  const others = codesOf(second)
  for (const one of codesOf(first)) {
    for (const other of others) {
      const pair = (one << 8) | other
      if (value > readerBits || (pairs[pair]! & readerBits) === 0) pairs[pair]! |= value
    }
  }
}

function codesOf(pattern: RegExp): number[] {
  return Array.from({ length: 256 }, (_, code) => code).filter((code) =>
    pattern.test(String.fromCharCode(code)),
  )
}

/** So much of a run or of a list in one piece makes it worth a look. */
const longRun = 12
const longList = 16
/** Beyond any length: what was noted once is not noted again. */
const noted = 1 << 29

/** Indentation alone is no list, and a hash is none either: digits, and something between them. */
function isListBefore(bytes: Uint8Array, at: number): boolean {
  let some = 0
  for (let i = at - 5; i < at; i++) some |= classBits[bytes[i]!]!
  if ((some & digitBit) === 0) return false
  for (let i = at - longRun; i < at; i++) if ((classBits[bytes[i]!]! & alphanumericBits) === 0) return true
  return false
}

function noteNumber(source: DecodeSource, at: number, dressed: number[]): void {
  const place = dressedNumberAt(source, at)
  if (place >= 0) dressed.push(place)
}

/** One pass: everything that costs more happens where it says. */
export function scanSource(source: DecodeSource): Scan {
  const { bytes, length } = source
  // A name of its own: the loop is half as fast with a look outside in every turn.
  const table = pairs
  const edits = noEdits()
  const runs: number[] = []
  const lists: number[] = []
  const addresses: number[] = [0]
  const dressed: number[] = []
  let runLength = 0
  let listLength = 0
  let at = 0
  while (at < length) {
    const second = bytes[at + 1]!
    const third = bytes[at + 2]!
    const fourth = bytes[at + 3]!
    const one = table[(bytes[at]! << 8) | second]!
    const two = table[(second << 8) | third]!
    const three = table[(third << 8) | fourth]!
    const four = table[(fourth << 8) | bytes[at + 4]!]!
    if (((one | two | three | four) & readerBits) === 0) {
      // Most characters begin nothing. The lengths grow where all four pairs carry the flag, and else are 0 again.
      const all = one & two & three & four
      runLength = (runLength + 4) & -(all >> 7)
      listLength = (listLength + 4) & -((all >> 6) & 1)
      at += 4
    } else {
      runLength = (runLength + 1) & -(one >> 7)
      listLength = (listLength + 1) & -((one >> 6) & 1)
      const reader = one & readerBits
      if (reader === 0) at++
      else if (reader > readers.length) {
        if (reader === address) addresses.push(at + 1)
        else noteNumber(source, at, dressed)
        at++
      } else {
        const next = readers[reader - 1]!(source, at, edits)
        if (next > at + 1) runLength = listLength = 0
        at = next
      }
    }
    if ((runLength | listLength) < longRun) continue
    if (runLength >= longRun && runLength < noted) {
      runs.push(at - runLength)
      runLength += noted
    }
    if (listLength >= longList && listLength < noted) {
      const isList = isListBefore(bytes, at)
      if (isList) lists.push(at)
      listLength = isList ? noted : 0
    }
  }
  return { edits, runs, lists, addresses, dressed }
}
