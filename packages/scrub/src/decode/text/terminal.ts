import { addEdit, type Edits } from './edits.ts'
import { classBits, digitBit, type DecodeSource } from './source.ts'

/** Maximum length of an operating system command, such as a title or a link. */
const maxCommandLength = 4096

/** The end of the escape sequence whose ESC precedes this offset, or the offset itself. */
function escapeSequenceEnd(source: DecodeSource, at: number): number {
  const { bytes, length } = source
  const kind = bytes[at]!
  if (kind === 0x5b) return controlSequenceEnd(bytes, at)
  // Operating system command (titles, links), device control, start of string, privacy message, program command.
  if (kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f) {
    const limit = Math.min(length, at + maxCommandLength)
    for (let i = at + 1; i < limit; i++) {
      const byte = bytes[i]!
      if (byte === 0x07 || byte === 0x9c) return i + 1
      if (byte === 0x1b) return bytes[i + 1] === 0x5c ? i + 2 : at + 1
      if (byte === 0x0a) break
    }
    return at + 1
  }
  // Character set selection, and single-character sequences.
  if (kind >= 0x20 && kind <= 0x2f) return at + 2
  return kind >= 0x30 && kind <= 0x7e ? at + 1 : at
}

/** The end of a control sequence such as `[…m`, for colours and cursor movement, or the offset itself. */
export function controlSequenceEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x5b) return at
  let i = at + 1
  const limit = i + 64
  while (i < limit && bytes[i]! >= 0x30 && bytes[i]! <= 0x3f) i++
  while (i < limit && bytes[i]! >= 0x20 && bytes[i]! <= 0x2f) i++
  return bytes[i]! >= 0x40 && bytes[i]! <= 0x7e ? i + 1 : at
}

/** Drops an escape sequence. */
export function readEscapeCharacter(source: DecodeSource, at: number, edits: Edits): number {
  const end = Math.min(source.length, escapeSequenceEnd(source, at + 1))
  addEdit(edits, at, end, '', true)
  return end
}

/** ESC and NUL as printed by `cat -v`: drops `^[[31m`, and `^@` if every other character is one. */
export function readCaret(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  if (bytes[at + 1] === 0x5b) {
    const end = controlSequenceEnd(bytes, at + 2)
    if (end === at + 2) return at + 1
    addEdit(edits, at, end, '', true)
    return end
  }
  const isNull = (place: number): boolean => bytes[place] === 0x5e && bytes[place + 1] === 0x40
  if (isNull(at) && (isNull(at + 3) || (at >= 3 && isNull(at - 3)))) {
    addEdit(edits, at, at + 2, '', true)
    return at + 2
  }
  return at + 1
}

/** A colour code whose ESC was removed: `[31m`, `[0m`. */
export function readBracket(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  if ((classBits[bytes[at + 1]!]! & digitBit) === 0 || followsEscapedEsc(source.text, at)) return at + 1
  let i = at + 1
  const limit = at + 16
  while (i < limit && ((classBits[bytes[i]!]! & digitBit) !== 0 || bytes[i] === 0x3b)) i++
  if (bytes[i] !== 0x6d) return at + 1
  addEdit(edits, at, i + 1, '', true)
  return i + 1
}

/** Whether an escaped ESC precedes this offset: the colour code is then decoded together with it. */
function followsEscapedEsc(text: string, at: number): boolean {
  return /(?:1b|033|\\e)$/i.test(text.slice(Math.max(0, at - 3), at))
}

/** `x` BS `x`: each backspace removes one character, as in pagers and printers. */
export function readBackspace(source: DecodeSource, at: number, edits: Edits): number {
  let end = at + 1
  while (end < source.length && source.bytes[end] === 0x08) end++
  addEdit(edits, Math.max(0, at - (end - at)), end, '', true)
  return end
}

/** UTF-16 read as bytes has a NUL next to each character. A single NUL is a separator and is kept. */
export function readNull(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes, length } = source
  const alternates =
    (at + 2 < length && bytes[at + 2] === 0 && bytes[at + 1] !== 0) ||
    (at >= 2 && bytes[at - 2] === 0 && bytes[at - 1] !== 0)
  if (alternates) addEdit(edits, at, at + 1, '', true)
  return at + 1
}
