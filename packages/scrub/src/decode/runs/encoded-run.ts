import type { Buffer } from 'node:buffer'
import type { View } from '../../text/span.ts'
import { foldedRun, type Pieces } from '../text/folding.ts'
import { mayBeDeflated, type InflateBudget } from '../text/compression.ts'
import { guessFormat, readAs, maxSniffedBytes, type ByteFormat, type DecodedText } from '../text/readable.ts'
import type { DecodeSource } from '../text/source.ts'

/** A binary-to-text encoding. */
export interface Codec {
  /** This many characters encode this many bytes. */
  readonly characters: number
  readonly bytes: number
  /** The character classes of its alphabet. */
  readonly member: number
  /** Maximum number of `=` after a run. */
  readonly padding: number
  decode(text: string): Buffer
  /** A quick check of the first characters that rules out most hashes and names. */
  mayBeText(source: Uint8Array, start: number): boolean
  /** Decodes characters of [start, end) until `into` is full, and returns the number of bytes. */
  sniff(source: Uint8Array, start: number, end: number, into: Uint8Array): number
}

/** A decoded run, and where it ends. */
export interface DecodedRun {
  readonly view: View
  readonly end: number
}

/** The rest of a long run is decoded only if this much of it is text, so that no line is read twice. */
const trialLength = 1024
/** Minimum number of decoded bytes. */
const minBytes = 8

const headBytes = new Uint8Array(maxSniffedBytes)
const noRuns: readonly DecodedRun[] = []

/**
 * Decodes the run that starts with [start, end) if its first bytes look like text or compressed data; most runs have no
 * result. Deflate streams without a header are tried only if `mayDeflate` is set, because any data may look like one.
 */
export function decodeRun(
  source: DecodeSource,
  start: number,
  end: number,
  codec: Codec,
  budget: InflateBudget,
  mayDeflate = false,
): readonly DecodedRun[] {
  if (!mayDeflate && !codec.mayBeText(source.bytes, start)) return noRuns
  const length = codec.sniff(source.bytes, start, end, headBytes)
  if (length < minBytes) return noRuns
  const isDeflated = mayDeflate && mayBeDeflated(headBytes)
  const format = guessFormat(headBytes, length)
  if (!isDeflated && format === undefined) return noRuns
  const formats: ByteFormat[] = isDeflated ? ['deflate'] : []
  if (format !== undefined) formats.push(format)
  // `x ` and `x^` start text as well as zlib streams.
  if (format === 'zlib' && headBytes[1]! >= 0x20 && headBytes[1]! < 0x7f) formats.push('text')
  return formats.flatMap((format) => decodeAs(source, start, end, codec, format, budget) ?? [])
}

function decodeAs(
  source: DecodeSource,
  start: number,
  end: number,
  codec: Codec,
  format: ByteFormat,
  budget: InflateBudget,
): DecodedRun | undefined {
  const isCompressed = format === 'gzip' || format === 'zlib' || format === 'deflate'
  const pieces = foldedRun(source, start, end, codec.member, trialLength)
  const first = readPieces(
    source,
    pieces,
    trialLength,
    codec,
    format,
    isCompressed ? { remaining: trialLength } : budget,
  )
  if (first === undefined) return undefined
  const isAll = !first.isWhole || first.joined.length < trialLength
  if (isAll && !isCompressed) return located(source, first, codec)
  const all = isAll ? pieces : foldedRun(source, start, end, codec.member, Infinity)
  return located(source, readPieces(source, all, Infinity, codec, format, budget) ?? first, codec)
}

interface ReadPieces {
  readonly pieces: Pieces
  readonly joined: string
  readonly reading: DecodedText
  /** Whether all of it is text. */
  readonly isWhole: boolean
}

function readPieces(
  { text }: DecodeSource,
  pieces: Pieces,
  maxCharacters: number,
  codec: Codec,
  format: ByteFormat,
  budget: InflateBudget,
): ReadPieces | undefined {
  const joined = joinPieces(text, pieces).slice(0, maxCharacters)
  const reading = readAs(codec.decode(joined), format, budget)
  const expectedBytes = Math.floor((joined.length * codec.bytes) / codec.characters)
  return reading && { pieces, joined, reading, isWhole: reading.used >= expectedBytes }
}

/** The whole run or, if it is text only in part, the complete lines that are text. */
function located(
  source: DecodeSource,
  { pieces, joined, reading, isWhole }: ReadPieces,
  codec: Codec,
): DecodedRun {
  const characters = isWhole ? joined.length : Math.ceil((reading.used * codec.characters) / codec.bytes)
  let before = 0
  let piece = 0
  for (; piece < pieces.starts.length - 1; piece++) {
    const length = pieces.ends[piece]! - pieces.starts[piece]!
    if (before + length >= characters) break
    before += length
  }
  const start = pieces.starts[0]!
  if (characters === before + pieces.ends[piece]! - pieces.starts[piece]!) {
    return runOf(reading.text, start, paddingEnd(source.bytes, pieces.ends[piece]!, codec.padding))
  }
  if (piece === 0) return runOf(reading.text, start, start + characters)
  return runOf(codec.decode(joined.slice(0, before)).toString('utf8'), start, pieces.ends[piece - 1]!)
}

function runOf(text: string, start: number, end: number): DecodedRun {
  return { view: { text, locate: () => ({ start, end }) }, end }
}

function joinPieces(text: string, pieces: Pieces): string {
  if (pieces.starts.length === 1) return text.slice(pieces.starts[0], pieces.ends[0])
  return pieces.starts.map((start, piece) => text.slice(start, pieces.ends[piece])).join('')
}

function paddingEnd(bytes: Uint8Array, end: number, maxPadding: number): number {
  let at = end
  while (at < end + maxPadding && bytes[at] === 0x3d) at++
  return at
}
