import { partitionPoint } from '@contextd/shared/text/partition-point'
import type { View } from '../text/span.ts'
import type { Edits } from './text/edits.ts'
import type { DecodeSource } from './text/source.ts'

/** How much of a long line is read around an edit: names stand close before their values. */
const reach = 512
/** How much further to the next place where nothing is torn: what is encoded may be long. */
const toBoundary = 1 << 16
const lineBefore = 256
/** Two regions closer than this are one: nothing is saved by leaving the gap out. */
const smallGap = 16
/** No secret spans an empty line. */
const separator = '\n\n'

/** Stretches of the source, in order and apart, that the edits touch. */
interface Regions {
  readonly starts: number[]
  readonly ends: number[]
}

/**
 * The source as it reads with the edits made: the lines that hold a telling one, each with the line before it, and of
 * long lines only the surroundings. Never longer than the source and a separator for each region.
 */
export function editedView(source: DecodeSource, edits: Edits): View | undefined {
  const regions = regionsOf(source.bytes, source.length, edits)
  if (regions.starts.length === 0) return undefined
  return assemble(source.text, edits, regions)
}

function regionsOf(bytes: Uint8Array, length: number, edits: Edits): Regions {
  const starts: number[] = []
  const ends: number[] = []
  let open = -1
  for (let edit = 0; edit < edits.starts.length; edit++) {
    if (!edits.telling[edit]) continue
    const from = edits.starts[edit]!
    const to = edits.ends[edit]!
    const end = open < 0 ? -1 : ends[open]!
    if (end >= to + reach / 2) continue
    const start = from <= end ? from : regionStart(bytes, from, end)
    if (open >= 0 && start <= end + smallGap) {
      ends[open] = regionEnd(bytes, length, Math.max(end, to), to)
    } else {
      open = starts.push(start) - 1
      ends.push(regionEnd(bytes, length, to, to))
    }
  }
  return withWholeEdits({ starts, ends }, edits)
}

/** The start of the line before, or of what is near in a long line; no further back than the region before. */
function regionStart(bytes: Uint8Array, from: number, floor: number): number {
  const limit = Math.max(0, floor, from - reach)
  let at = from
  while (at > limit && bytes[at - 1] !== 0x0a) at--
  if (at > limit) {
    const before = Math.max(0, floor, at - lineBefore)
    let line = at - 1
    while (line > before && bytes[line - 1] !== 0x0a) line--
    return line
  }
  const furthest = Math.max(0, floor, at - toBoundary)
  let boundary = at
  while (boundary > furthest && !isBoundary(bytes[boundary - 1]!)) boundary--
  return boundary
}

/** The end of the line, or of what is near; looked for from `scanned` on, before which there is none to find. */
function regionEnd(bytes: Uint8Array, length: number, scanned: number, to: number): number {
  const limit = Math.min(length, to + reach)
  let at = scanned
  while (at < limit && bytes[at] !== 0x0a) at++
  if (at >= length || bytes[at] === 0x0a) return at
  const furthest = Math.min(length, at + toBoundary)
  let boundary = at
  while (boundary < furthest && !isBoundary(bytes[boundary]!)) boundary++
  return boundary
}

/** Blanks, line breaks, quotes, commas, semicolons and brackets. */
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

/** Moves the ends of regions off the middle of edits. */
function withWholeEdits(regions: Regions, edits: Edits): Regions {
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

/** One piece of the view: where it begins there, which stretch it comes from, and how many units make a character. */
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

/** The piece that holds a place: the last one that begins at or before it. */
function pieceAt(at: readonly number[], place: number): number {
  return Math.max(0, partitionPoint(at.length, (piece) => at[piece]! <= place) - 1)
}
