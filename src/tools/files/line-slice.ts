/**
 * Finds lines in a file and reads as little as possible: the first and last lines of a log of gigabytes are found
 * immediately, those in the middle after one pass, in constant memory.
 */

const lineEnd = 0x0a
const chunkBytes = 262_144

/** A file, or a buffer with all of it. */
export interface LineSource {
  readonly size: number
  read(offset: number, length: number): Promise<Buffer>
}

export interface LineRange {
  /** The first line, from 1; negative counts from the end. */
  readonly offset: number
  readonly limit: number
  /** The max bytes to read at once. */
  readonly maxBytes: number
}

export interface LineSlice {
  /** The byte range in the file; whole lines, unless `isCut`. */
  readonly start: number
  readonly end: number
  /** The number of its first line; undefined if only known from the end. */
  readonly first?: number
  readonly lines: number
  /** The number of lines in the file, if known. */
  readonly total?: number
  /** The first line alone is longer than the limit, and only its start is in the slice. */
  readonly isCut: boolean
}

/** `check` is called between reads and throws if the caller is gone. */
export async function sliceLines(
  source: LineSource,
  range: LineRange,
  check: () => void,
): Promise<LineSlice> {
  if (range.offset < 0) {
    const from = await startFromEnd(source, -range.offset, check)
    const slice = await takeLines(source, from.start, range)
    if (from.start > 0) return slice
    return numbered(slice, 1, source.size)
  }
  const from = await startOfLine(source, range.offset, check)
  if (from.start >= source.size) {
    return { start: source.size, end: source.size, lines: 0, total: from.before, isCut: false }
  }
  return numbered(await takeLines(source, from.start, range), range.offset, source.size)
}

function numbered(slice: LineSlice, first: number, size: number): LineSlice {
  const isLast = slice.end >= size
  return { ...slice, first, ...(isLast && { total: first - 1 + slice.lines }) }
}

/** The start of a line, and how many lines precede it; the end of the file if there are fewer. */
async function startOfLine(
  source: LineSource,
  line: number,
  check: () => void,
): Promise<{ start: number; before: number }> {
  let before = 0
  let endsInside = false
  for (let at = 0; before < line - 1 && at < source.size;) {
    check()
    const chunk = await source.read(at, Math.min(chunkBytes, source.size - at))
    if (chunk.length === 0) break
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, end + 1)) {
      before++
      if (before === line - 1) return { start: at + end + 1, before }
    }
    endsInside = chunk.at(-1) !== lineEnd
    at += chunk.length
  }
  return line === 1 ? { start: 0, before } : { start: source.size, before: before + (endsInside ? 1 : 0) }
}

/** The start of the last lines; the start of the file if there are not more. */
async function startFromEnd(
  source: LineSource,
  lines: number,
  check: () => void,
): Promise<{ start: number }> {
  let left = lines
  // A line end at the end of the file starts no line.
  let to = source.size
  for (let skip = 1; to > 0; skip = 0) {
    check()
    const from = Math.max(0, to - chunkBytes)
    const chunk = await source.read(from, to - from)
    for (let at = chunk.length - 1 - skip; at >= 0; at--) {
      at = chunk.lastIndexOf(lineEnd, at)
      if (at === -1) break
      left--
      if (left === 0) return { start: from + at + 1 }
    }
    to = from
  }
  return { start: 0 }
}

/** As many whole lines as fit. */
async function takeLines(
  source: LineSource,
  start: number,
  { limit, maxBytes }: LineRange,
): Promise<LineSlice> {
  const bytes = await source.read(start, Math.min(maxBytes, source.size - start))
  const isRest = start + bytes.length >= source.size
  let lines = 0
  let end = 0
  while (lines < limit && end < bytes.length) {
    const found = bytes.indexOf(lineEnd, end)
    if (found === -1 && !isRest) break
    end = found === -1 ? bytes.length : found + 1
    lines++
  }
  if (lines === 0 && bytes.length > 0) return { start, end: start + bytes.length, lines: 1, isCut: true }
  return { start, end: start + end, lines, isCut: false }
}

/** The last line is counted even without a line end. */
export function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) lines++
  return bytes.length === 0 || bytes.at(-1) === lineEnd ? lines : lines + 1
}
