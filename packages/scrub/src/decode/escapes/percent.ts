import type { Edits } from '../text/edits.ts'
import { replaceCharacter, replaceEscapedBytes } from '../text/escaped-character.ts'
import { hexNumber, type DecodeSource } from '../text/source.ts'

/** `%67` as in URLs, and `%u0067` as in the output of JavaScript's `escape`. */
export function readPercent(source: DecodeSource, at: number, edits: Edits): number {
  const { bytes } = source
  if (bytes[at + 1] === 0x75) {
    const code = hexNumber(bytes, at + 2, 4)
    return code < 0 ? at + 1 : replaceCharacter(source, at, at + 6, code, edits)
  }
  const end = replaceEscapedBytes(source, at, 3, percentByte, edits)
  return end > 0 ? end : at + 1
}

/** Control characters are not decoded: `%02d` is a format string, not a URL. */
function percentByte(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x25) return -1
  const byte = hexNumber(bytes, at + 1, 2)
  const isControl =
    byte < 0x20 && byte !== 0 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b
  return isControl || byte === 0x7f ? -1 : byte
}
