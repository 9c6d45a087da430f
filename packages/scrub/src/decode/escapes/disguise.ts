import { addEdit, type Edits } from '../text/edits.ts'
import {
  alphanumericBits,
  classBits,
  isInvisible,
  mathematicalLead,
  tagLead,
  tokenBit,
  type DecodeSource,
} from '../text/source.ts'

/**
 * Drops invisible characters, and replaces full-width, mathematical, circled and letter-like characters with the ASCII
 * characters they look like.
 */
export function readDisguised(source: DecodeSource, at: number, edits: Edits): number {
  const { text } = source
  const code = text.charCodeAt(at)
  const end = code === mathematicalLead || code === tagLead ? at + 2 : at + 1
  if (code === tagLead ? isInvisible(text.codePointAt(at)!) : isInvisible(code)) {
    addEdit(edits, at, end, '', touchesToken(source, at, end))
    return end
  }
  const isFullWidth = code >= 0xff01 && code <= 0xff5e
  const plain = isFullWidth ? String.fromCharCode(code - 0xfee0) : text.slice(at, end).normalize('NFKC')
  if (plain.length !== 1 || plain.charCodeAt(0) > 0x7e) return end
  // Full-width punctuation is normal in Chinese and Japanese text; only letters and digits are significant.
  addEdit(edits, at, end, plain, (classBits[plain.charCodeAt(0)]! & alphanumericBits) !== 0)
  return end
}

function touchesToken({ bytes }: DecodeSource, start: number, end: number): boolean {
  return (
    (start > 0 && (classBits[bytes[start - 1]!]! & tokenBit) !== 0) ||
    (classBits[bytes[end]!]! & tokenBit) !== 0
  )
}
