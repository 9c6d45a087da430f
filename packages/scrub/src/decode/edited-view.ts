import { partitionPoint } from '@contextd/shared/text/partition-point'
import type { View } from '../text/span.ts'
import type { Edits } from './text/edits.ts'
import type { DecodeSource } from './text/source.ts'

/** How much of a long line around an edit is included: names closely precede their values. */
const contextLength = 512
/** How far to search for a boundary beyond that: encoded text may be long. */
const maxBoundaryDistance = 1 << 16
const maxPreviousLineLength = 256
/** Regions this close are merged: omitting the gap would save nothing. */
const maxMergedGap = 16
/** No secret spans an empty line. */
const separator = '\n\n'

/** Ordered, disjoint ranges of the source around the edits. */
interface Regions {
  readonly starts: number[]
  readonly ends: number[]
}

/**
 * The source with the edits applied: the lines with a significant edit, each with the previous line, and only the
 * surroundings of edits in long lines. Never longer than the source plus a separator for each region.
 */
export function editedView(source: DecodeSource, edits: Edits): View | undefined {
  const regions = regionsOf(source.bytes, source.length, edits)
  if (regions.starts.length === 0) return undefined
  return assemble(source.text, edits, regions)
}

function regionsOf(bytes: Uint8Array, length: number, edits: Edits): Regions {
  const starts: number[] = []
  const ends: number[] = []
  let current = -1
  for (let edit = 0; edit < edits.starts.length; edit++) {
    if (!edits.significant[edit]) continue
    const from = edits.starts[edit]!
    const to = edits.ends[edit]!
    const end = current < 0 ? -1 : ends[current]!
    if (end >= to + contextLength / 2) continue
    const start = from <= end ? from : regionStart(bytes, from, end)
    if (current >= 0 && start <= end + maxMergedGap) {
      ends[current] = regionEnd(bytes, length, Math.max(end, to), to)
    } else {
      current = starts.push(start) - 1
      ends.push(regionEnd(bytes, length, to, to))
    }
  }
  return alignToEdits({ starts, ends }, edits)
}

/** The start of the previous line, or of the surroundings in a long line; not before the end of the previous region. */
function regionStart(bytes: Uint8Array, from: number, floor: number): number {
  const limit = Math.max(0, floor, from - contextLength)
  let at = from
  while (at > limit && bytes[at - 1] !== 0x0a) at--
  if (at > limit) {
    const lineLimit = Math.max(0, floor, at - maxPreviousLineLength)
    let line = at - 1
    while (line > lineLimit && bytes[line - 1] !== 0x0a) line--
    return line
  }
  const minBoundary = Math.max(0, floor, at - maxBoundaryDistance)
  let boundary = at
  while (boundary > minBoundary && !isBoundary(bytes[boundary - 1]!)) boundary--
  return boundary
}

/** The end of the line, or of the surroundings in a long line. Text before `scanned` is known to contain neither. */
function regionEnd(bytes: Uint8Array, length: number, scanned: number, to: number): number {
  const limit = Math.min(length, to + contextLength)
  let at = scanned
  while (at < limit && bytes[at] !== 0x0a) at++
  if (at >= length || bytes[at] === 0x0a) return at
  const maxBoundary = Math.min(length, at + maxBoundaryDistance)
  let boundary = at
  while (boundary < maxBoundary && !isBoundary(bytes[boundary]!)) boundary++
  return boundary
}

/** White space, quotes, commas, semicolons and brackets. */
function isBoundary(byte: number): boolean {
  return (
    byte <= 0x22 ||
    byte === 0x27 ||
    byte === 0x28 ||
    byte === 0x29 ||
    byte === 0x2c ||
    byte === 0x3b ||
    byte === 0x3c ||
    byte === 0x3e ||
    byte === 0x60 ||
    byte === 0x7b ||
    byte === 0x7d
  )
}

/** Extends or shrinks regions so that none starts or ends inside an edit. */
function alignToEdits(regions: Regions, edits: Edits): Regions {
  let edit = 0
  for (let region = 0; region < regions.starts.length; region++) {
    while (edit < edits.starts.length && edits.ends[edit]! <= regions.starts[region]!) edit++
    if (edit < edits.starts.length && edits.starts[edit]! < regions.starts[region]!) {
      regions.starts[region] = edits.ends[edit]!
    }
    while (edit < edits.starts.length && edits.ends[edit]! <= regions.ends[region]!) edit++
    if (edit < edits.starts.length && edits.starts[edit]! < regions.ends[region]!) {
      regions.ends[region] = edits.ends[edit]!
    }
  }
  return regions
}

/** The pieces of a view: their offsets in it, the source ranges they come from, and source units per character. */
interface Pieces {
  readonly at: number[]
  readonly starts: number[]
  readonly ends: number[]
  readonly strides: number[]
}

function assemble(text: string, edits: Edits, regions: Regions): View {
  const pieces: Pieces = { at: [], starts: [], ends: [], strides: [] }
  const parts: string[] = []
  let length = 0
  const add = (part: string, start: number, end: number, stride: number): void => {
    if (part === '') return
    parts.push(part)
    pieces.at.push(length)
    pieces.starts.push(start)
    pieces.ends.push(end)
    pieces.strides.push(stride)
    length += part.length
  }
  let edit = 0
  for (let region = 0; region < regions.starts.length; region++) {
    let at = regions.starts[region]!
    const end = regions.ends[region]!
    if (region > 0) add(separator, at, at, 0)
    while (edit < edits.starts.length && edits.starts[edit]! < at) edit++
    for (; edit < edits.starts.length && edits.starts[edit]! < end; edit++) {
      const from = edits.starts[edit]!
      const to = edits.ends[edit]!
      add(text.slice(at, from), at, from, 1)
      add(edits.texts[edit]!, from, to, edits.strides[edit]!)
      at = to
    }
    add(text.slice(at, end), at, end, 1)
  }
  return { text: parts.join(''), locate: (start, end) => locateIn(pieces, start, end) }
}

function locateIn(pieces: Pieces, start: number, end: number): { start: number; end: number } {
  const first = pieceAt(pieces.at, start)
  const stride = pieces.strides[first]!
  const from = pieces.starts[first]! + stride * (start - pieces.at[first]!)
  if (end <= start) return { start: from, end: from }
  const last = pieceAt(pieces.at, end - 1)
  const lastStride = pieces.strides[last]!
  const to =
    lastStride === 0 ? pieces.ends[last]! : pieces.starts[last]! + lastStride * (end - pieces.at[last]!)
  return { start: from, end: to }
}

/** The index of the last piece that starts at or before an offset. */
function pieceAt(starts: readonly number[], offset: number): number {
  return Math.max(0, partitionPoint(starts.length, (piece) => starts[piece]! <= offset) - 1)
}
