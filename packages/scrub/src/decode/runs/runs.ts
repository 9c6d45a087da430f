import { Buffer } from 'node:buffer'
import type { View } from '../../text/span.ts'
import { base32Codec } from './base32.ts'
import { base64Codec } from './base64.ts'
import { hexGroupsAround } from '../numbers/byte-groups.ts'
import { decodeRun, type Codec } from './encoded-run.ts'
import type { InflateBudget } from '../text/compression.ts'
import { mayStartText } from '../text/readable.ts'
import {
  classBits,
  digitBit,
  joinerBit,
  hexDigitBit,
  hexNumber,
  lowerBit,
  runBits,
  upperBit,
  type DecodeSource,
} from '../text/source.ts'

/** Shorter runs are plain words. */
const minRunLength = 16

/** Shorter deflate streams cannot contain a secret. */
const minDeflatedBytes = 24

/** A maximal run of base64 characters. */
interface Run {
  readonly start: number
  readonly end: number
  /** Bitwise OR and AND of its characters' classes. */
  readonly anyClasses: number
  readonly allClasses: number
}

/** Two hexadecimal digits per byte, in either case. */
const hexCodec: Codec = {
  characters: 2,
  bytes: 1,
  member: hexDigitBit,
  padding: 0,
  decode: (text) => Buffer.from(text, 'hex'),
  mayBeText: (source, start) => mayStartText[hexNumber(source, start, 4)] === 1,
  sniff: (source, start, end, into) => {
    let length = 0
    for (let at = start; at + 2 <= end && length < into.length; at += 2) {
      into[length++] = hexNumber(source, at, 2)
    }
    return length
  },
}

/** Decodes the runs found by a scan in every possible encoding. */
export function readRuns(
  source: DecodeSource,
  places: readonly number[],
  budget: InflateBudget,
  views: View[],
): void {
  // Nothing before `floor` is read again.
  let floor = 0
  for (const place of places) {
    if (place < floor) continue
    const run = runAround(source.bytes, place, floor)
    if (run.end - run.start >= minRunLength) floor = readRun(source, run, budget, views)
  }
}

function runAround(bytes: Uint8Array, place: number, floor: number): Run {
  const kinds = classBits
  let start = place
  while (start > floor && (kinds[bytes[start - 1]!]! & runBits) !== 0) start--
  // The letter of an escaped `\n` belongs to the line break, not to the run.
  if (start > 0 && bytes[start - 1] === 0x5c) start++
  let anyClasses = 0
  let allClasses = 0xff
  let end = start
  for (let kind = kinds[bytes[end]!]!; (kind & runBits) !== 0; kind = kinds[bytes[++end]!]!) {
    anyClasses |= kind
    allClasses &= kind
  }
  return { start, end, anyClasses, allClasses }
}

/** Adds the views of a run, and returns where to continue. */
function readRun(source: DecodeSource, run: Run, budget: InflateBudget, views: View[]): number {
  const { bytes } = source
  const { start, end, anyClasses, allClasses } = run
  if ((allClasses & hexDigitBit) !== 0) return readHex(source, start, end, budget, views)
  if (bytes[start + 2] === 0x2d && bytes[start + 5] === 0x2d) {
    const list = hexGroupsAround(source, start + 2, start, budget)
    if (list?.view !== undefined) views.push(list.view)
    if (list !== undefined) return Math.max(end, list.end)
  }
  // Hyphenated words and paths.
  if ((anyClasses & (upperBit | digitBit)) === 0 && (anyClasses & joinerBit) !== 0) return end
  const isMixed = (anyClasses & upperBit) !== 0 && (anyClasses & lowerBit) !== 0
  const stop = readParts(source, run, isMixed ? base64Codec : base32Codec, budget, views)
  if (stop > 0 || (anyClasses & digitBit) === 0) return Math.max(end, stop)
  return readHexWithin(source, start, end, budget, views)
}

/**
 * Returns the end of the last part that could be decoded, or -1. A path or name may precede the encoded text, so decoding
 * is tried at the start and after each `/ + - _`.
 */
function readParts(
  source: DecodeSource,
  run: Run,
  codec: Codec,
  budget: InflateBudget,
  views: View[],
): number {
  const { bytes } = source
  const { start, end, anyClasses } = run
  let mayDeflate = codec === base64Codec && end - start >= minDeflatedBytes && (anyClasses & digitBit) !== 0
  let last = -1
  for (let at = start; end - at >= minRunLength;) {
    for (const part of decodeRun(source, at, end, codec, budget, mayDeflate)) {
      views.push(part.view)
      last = Math.max(last, part.end)
    }
    mayDeflate = false
    at = Math.max(at, last)
    if ((anyClasses & joinerBit) === 0) break
    while (at < end && (classBits[bytes[at]!]! & joinerBit) === 0) at++
    at++
  }
  return last
}

function readHex(
  source: DecodeSource,
  start: number,
  end: number,
  budget: InflateBudget,
  views: View[],
): number {
  let [run] = decodeRun(source, start, end, hexCodec, budget)
  // With an odd number of digits, the first one may belong to the preceding text.
  if (run === undefined && (end - start) % 2 === 1)
    [run] = decodeRun(source, start + 1, end, hexCodec, budget)
  if (run === undefined) return end
  views.push(run.view)
  return Math.max(end, run.end)
}

/** Hexadecimal digits inside a run of other characters: `0x6768…`, `/files/6768…/raw`. */
function readHexWithin(
  source: DecodeSource,
  start: number,
  end: number,
  budget: InflateBudget,
  views: View[],
): number {
  const { bytes } = source
  let floor = start
  // A long enough sequence has a digit at every sixteenth offset.
  for (let at = start + minRunLength - 1; at < end; at = floor + minRunLength - 1) {
    let first = at
    while (first > floor && (classBits[bytes[first - 1]!]! & hexDigitBit) !== 0) first--
    let last = at
    while (last < end && (classBits[bytes[last]!]! & hexDigitBit) !== 0) last++
    floor = last - first >= minRunLength ? readHex(source, first, last, budget, views) : last + 1
  }
  return Math.max(end, floor)
}
