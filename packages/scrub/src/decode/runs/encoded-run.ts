import type { Buffer } from 'node:buffer'
import type { View } from '../../text/span.ts'
import { foldedRun, type Pieces } from '../text/folding.ts'
import { mayBeDeflated, type InflateBudget } from '../text/compression.ts'
import { guess, read, sniffed, type Guess, type DecodedText } from '../text/readable.ts'
import type { DecodeSource } from '../text/source.ts'

/** A way to write bytes with characters. */
export interface Codec {
  /** So many characters stand for so many bytes. */
  readonly characters: number
  readonly bytes: number
  /** The classes its characters belong to. */
  readonly member: number
  /** How many `=` may follow. */
  readonly padding: number
  decode(text: string): Buffer
  /** A quick look at the first characters, which spares most hashes and names the next one. */
  mayBeText(source: Uint8Array, start: number): boolean
  /** Decodes at most so many bytes of the characters in [start, end) and returns how many these were. */
  sniff(source: Uint8Array, start: number, end: number, into: Uint8Array): number
}

/** A run that was decoded, and where it ends. */
export interface DecodedRun {
  readonly view: View
  readonly end: number
}

/** Enough to see whether a long run stays text; only then is the rest looked at, so that no line is read twice. */
const trial = 1024
/** Fewer bytes of a run are worth nothing. */
const fewest = 8

const head = new Uint8Array(sniffed)
const nothing: readonly DecodedRun[] = []

/**
 * The readings of the run that begins with [start, end), where its first bytes look like text or like what text is put
 * into; none for most. A deflate stream without a header is looked for only where `mayDeflate` says so: anything may
 * begin like one, text as well.
 */
export function decodeRun(
  source: DecodeSource,
  start: number,
  end: number,
  codec: Codec,
  budget: InflateBudget,
  mayDeflate = false,
): readonly DecodedRun[] {
  if (!mayDeflate && !codec.mayBeText(source.bytes, start)) return nothing
  const length = codec.sniff(source.bytes, start, end, head)
  if (length < fewest) return nothing
  const isDeflated = mayDeflate && mayBeDeflated(head)
  const guessed = guess(head, length)
  if (!isDeflated && guessed === undefined) return nothing
  const kinds: Guess[] = isDeflated ? ['deflate'] : []
  if (guessed !== undefined) kinds.push(guessed)
  // `x ` and `x^` begin text as well as what zlib packed.
  if (guessed === 'zlib' && head[1]! >= 0x20 && head[1]! < 0x7f) kinds.push('text')
  return kinds.flatMap((kind) => decodeAs(source, start, end, codec, kind, budget) ?? [])
}

function decodeAs(
  source: DecodeSource,
  start: number,
  end: number,
  codec: Codec,
  guessed: Guess,
  budget: InflateBudget,
): DecodedRun | undefined {
  const isCompressed = guessed === 'gzip' || guessed === 'zlib' || guessed === 'deflate'
  const pieces = foldedRun(source, start, end, codec.member, trial)
  const first = readPieces(source, pieces, trial, codec, guessed, isCompressed ? { left: trial } : budget)
  if (first === undefined) return undefined
  const isAll = !first.isWhole || first.joined.length < trial
  if (isAll && !isCompressed) return located(source, first, codec)
  const all = isAll ? pieces : foldedRun(source, start, end, codec.member, Infinity)
  return located(source, readPieces(source, all, Infinity, codec, guessed, budget) ?? first, codec)
}

interface ReadPieces {
  readonly pieces: Pieces
  readonly joined: string
  readonly reading: DecodedText
  /** Whether all of it was readable. */
  readonly isWhole: boolean
}

function readPieces(
  { text }: DecodeSource,
  pieces: Pieces,
  most: number,
  codec: Codec,
  guessed: Guess,
  budget: InflateBudget,
): ReadPieces | undefined {
  const joined = joinPieces(text, pieces).slice(0, most)
  const reading = read(codec.decode(joined), guessed, budget)
  const whole = Math.floor((joined.length * codec.bytes) / codec.characters)
  return reading && { pieces, joined, reading, isWhole: reading.used >= whole }
}

/** The whole run; or, where it stops being text, what is text, without a line that is so only in part. */
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
    return found(reading.text, start, paddingEnd(source.bytes, pieces.ends[piece]!, codec.padding))
  }
  if (piece === 0) return found(reading.text, start, start + characters)
  return found(codec.decode(joined.slice(0, before)).toString('utf8'), start, pieces.ends[piece - 1]!)
}

function found(text: string, start: number, end: number): DecodedRun {
  return { view: { text, locate: () => ({ start, end }) }, end }
}

function joinPieces(text: string, pieces: Pieces): string {
  if (pieces.starts.length === 1) return text.slice(pieces.starts[0], pieces.ends[0])
  return pieces.starts.map((start, piece) => text.slice(start, pieces.ends[piece])).join('')
}

function paddingEnd(bytes: Uint8Array, end: number, most: number): number {
  let at = end
  while (at < end + most && bytes[at] === 0x3d) at++
  return at
}
