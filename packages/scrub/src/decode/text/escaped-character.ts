import { addEdit, type Edits } from './edits.ts'
import { isInvisible, type DecodeSource } from './source.ts'
import { controlSequenceEnd } from './terminal.ts'

const escape = 0x1b

/**
 * Replaces an escape of one character. Invisible characters and complete terminal colour codes (`\x1b[31m`) are dropped.
 * Returns where to continue.
 */
export function replaceCharacter(
  source: DecodeSource,
  start: number,
  end: number,
  code: number,
  edits: Edits,
): number {
  if (code === escape) {
    const stop = controlSequenceEnd(source.bytes, end)
    if (stop > end) {
      addEdit(edits, start, stop, '', true)
      return stop
    }
  }
  addEdit(edits, start, end, isInvisible(code) ? '' : String.fromCodePoint(code), true)
  return end
}

/** The byte escaped at an offset, or -1. */
export type ReadByte = (bytes: Uint8Array, at: number) => number

/**
 * Replaces the first character of a sequence of escaped UTF-8 bytes, each `width` units long. Returns where to continue,
 * or -1 if the bytes are not valid UTF-8.
 */
export function replaceEscapedBytes(
  source: DecodeSource,
  at: number,
  width: number,
  read: ReadByte,
  edits: Edits,
): number {
  const { bytes } = source
  const first = read(bytes, at)
  if (first < 0) return -1
  if (first < 0x80) return replaceCharacter(source, at, at + width, first, edits)
  const length = sequenceLength(first)
  if (length === 0) return -1
  let code = first & (0x7f >> length)
  for (let i = 1; i < length; i++) {
    const next = read(bytes, at + i * width)
    if (next < 0x80 || next > 0xbf) return -1
    code = (code << 6) | (next & 0x3f)
  }
  if (code > 0x10ffff) return -1
  return replaceCharacter(source, at, at + length * width, code, edits)
}

/** Range of the first byte of a multi-byte UTF-8 sequence. */
export const firstLead = 0xc2
export const lastLead = 0xf4

/** Length of the UTF-8 sequence that starts with this byte, or 0. */
export function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < firstLead || lead > lastLead) return 0
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
