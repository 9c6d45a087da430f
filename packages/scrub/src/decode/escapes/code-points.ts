import type { Edits } from '../text/edits.ts'
import { replaceCharacter } from '../text/escaped-character.ts'
import { hexValues, type DecodeSource } from '../text/source.ts'

/** `U+0067`, the Unicode notation. The space between two code points is dropped as well. */
export function readCodePoint(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  const start = at + 2
  let end = start
  let code = 0
  while (end < start + 6 && hexValues[bytes[end]!]! >= 0) code = code * 16 + hexValues[bytes[end++]!]!
  const isWhitespace = code === 0x09 || code === 0x0a || code === 0x0d
  if (end < start + 4 || code > 0x7e || (code < 0x20 && !isWhitespace)) return at + 1
  const isListed = bytes[end] === 0x20 && (bytes[end + 1]! | 0x20) === 0x75 && bytes[end + 2] === 0x2b
  return replaceCharacter(source, at, isListed ? end + 1 : end, code, edits)
}
