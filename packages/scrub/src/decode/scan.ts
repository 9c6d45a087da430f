import { readQuote } from './escapes/concatenation.ts'
import { readDisguised } from './escapes/disguise.ts'
import { emptyEdits, type Edits } from './text/edits.ts'
import { readAmpersand } from './escapes/entities.ts'
import { readCodePoint, readEscapeAt, readPercent } from './escapes/escapes.ts'
import { readLineEnd } from './escapes/line-wraps.ts'
import { readEquals } from './escapes/quoted-printable.ts'
import { wrappedNumberAt } from './numbers/wrapped-numbers.ts'
import {
  alphanumericBits,
  classBits,
  digitBit,
  disguisedCharacter,
  type DecodeSource,
} from './text/source.ts'
import { readBackspace, readBracket, readCaret, readEscapeCharacter, readNull } from './text/terminal.ts'

/** Offsets that need a closer look, collected in one pass over a source. */
export interface Scan {
  /** Everything decoded in place: escapes, invisible characters, joined strings and lines. */
  readonly edits: Edits
  /** Offsets at or shortly after the start of long base64 runs, followed by at least `minRunLength` run characters. */
  readonly runs: readonly number[]
  /** Offsets in possible lists of bytes. */
  readonly lists: readonly number[]
  /** Where the address of a dump's first row may start. */
  readonly addresses: readonly number[]
  /** Offsets in numbers with a type suffix, cast or call: `103u8`, `chr(103)`. */
  readonly wrappedNumbers: readonly number[]
}

/** Adds the edit at an offset, if there is one, and returns where to continue. */
type Reader = (source: DecodeSource, at: number, edits: Edits) => number

const anyCharacter = /[^]/
/** The two characters that an edit may start with, and the reader that decides. */
const editStarts: readonly (readonly [first: RegExp, second: RegExp, read: Reader])[] = [
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
  [/\x1b/, anyCharacter, readEscapeCharacter],
  // oxlint-disable-next-line no-control-regex
  [/\x08/, anyCharacter, readBackspace],
  // oxlint-disable-next-line no-control-regex
  [/\x00/, anyCharacter, readNull],
  [new RegExp(`[\xad${String.fromCharCode(disguisedCharacter)}]`), anyCharacter, readDisguised],
]
const readers: readonly Reader[] = editStarts.map(([, , read]) => read)

/** Table entries for a pair whose second character may start an address, and for one that may wrap a number. */
const address = readers.length + 1
const wrappedNumber = readers.length + 2
const readerBits = 0x3f
/** Flags for pairs of characters that may be adjacent in a run, and in a list of bytes. */
const withinRun = 0x80
const withinList = 0x40

/** For each pair of bytes: the reader's index plus 1, and the two flags. */
const pairs = new Uint8Array(0x10000)
for (const [index, [first, second]] of editStarts.entries()) mark(first, second, index + 1)
mark(/[\t\n>|+]/, /0/, address)
mark(/[Rr]/, /[(\]]/, wrappedNumber)
mark(/u/, /8/, wrappedNumber)
mark(/e/, /\)/, wrappedNumber)
mark(/[A-Za-z0-9+/\-_]/, /[A-Za-z0-9+/\-_]/, withinRun)
mark(/[0-9A-Fa-fx]/, /[0-9A-Fa-fx :,;|\t\r\n]/, withinList)
mark(/[ :,;|\t\r\n]/, /[0-9A-Fa-fx]/, withinList)
mark(/[,;: \t\r\n]/, /[ \t\r\n]/, withinList)

/** If two readers claim the same pair, the first one wins. */
function mark(first: RegExp, second: RegExp, value: number): void {
  const secondCodes = codesOf(second)
  for (const one of codesOf(first)) {
    for (const other of secondCodes) {
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

/** Minimum lengths from which runs and lists are recorded. */
const minRunLength = 12
const minListLength = 16
/** Larger than any length: marks a run or list as already recorded. */
const recorded = 1 << 29

/** A list has digits and separators, unlike indentation and hashes. */
function isListBefore(bytes: Uint8Array, at: number): boolean {
  let seen = 0
  for (let i = at - 5; i < at; i++) seen |= classBits[bytes[i]!]!
  if ((seen & digitBit) === 0) return false
  for (let i = at - minRunLength; i < at; i++)
    if ((classBits[bytes[i]!]! & alphanumericBits) === 0) return true
  return false
}

function recordNumber(source: DecodeSource, at: number, wrappedNumbers: number[]): void {
  const place = wrappedNumberAt(source, at)
  if (place >= 0) wrappedNumbers.push(place)
}

/** One cheap pass over the source; expensive decoding happens only at the recorded offsets. */
export function scanSource(source: DecodeSource): Scan {
  const { bytes, length } = source
  // A local variable, because accessing the module variable in every iteration halves the speed.
  const table = pairs
  const edits = emptyEdits()
  const runs: number[] = []
  const lists: number[] = []
  const addresses: number[] = [0]
  const wrappedNumbers: number[] = []
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
      // The common case. The lengths grow if all four pairs have the flag, and are otherwise reset to 0.
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
        else recordNumber(source, at, wrappedNumbers)
        at++
      } else {
        const next = readers[reader - 1]!(source, at, edits)
        if (next > at + 1) runLength = listLength = 0
        at = next
      }
    }
    if ((runLength | listLength) < minRunLength) continue
    if (runLength >= minRunLength && runLength < recorded) {
      runs.push(at - runLength)
      runLength += recorded
    }
    if (listLength >= minListLength && listLength < recorded) {
      const isList = isListBefore(bytes, at)
      if (isList) lists.push(at)
      listLength = isList ? recorded : 0
    }
  }
  return { edits, runs, lists, addresses, wrappedNumbers }
}
