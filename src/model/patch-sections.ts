/** Which file each part of a patch changes, in the format of `apply_patch`. Pure. */

import { partitionPoint } from '@contextd/shared/text/partition-point'

export interface PatchSection {
  readonly path: string
  /** Writes the whole file, even if it exists. */
  readonly isWhole: boolean
  /** The lines, each prefixed with a space, `+` or `-`. */
  readonly start: number
  readonly end: number
}

const controlLine = /^\*\*\*/
const fileLine = /^\*\*\* (Add|Update|Delete) File:(.*)$/
/** The changed file stays the same. */
const sameFileLine = /^\*\*\* (?:Move to:|End of File)/
/**
 * Some clients accept a line that names a file even after leading blanks; others treat it as a line of the previous
 * file.
 */
const doubtfulLine = /^[^+\-*].*\*\*\* ?(?:Add|Update|Delete) ?File/

/** One side of a hunk: its lines before or after the change. */
export interface PatchSide {
  readonly text: string
  /** Maps an offset in the text to one in the patch. */
  offsetOf(at: number): number
}

export interface PatchHunk {
  readonly old: PatchSide
  readonly new: PatchSide
}

/** Each hunk as an edit. */
export function patchHunks(text: string, { start, end }: PatchSection): PatchHunk[] {
  const hunks: PatchLine[][] = [[]]
  let at = start
  for (const line of text.slice(start, end).replace(/\n$/, '').split('\n')) {
    if (line.startsWith('@@')) hunks.push([])
    else hunks.at(-1)!.push({ at, line })
    at += line.length + 1
  }
  return hunks.map((lines) => ({ old: sideOf(lines, '+'), new: sideOf(lines, '-') }))
}

interface PatchLine {
  readonly at: number
  readonly line: string
}

function sideOf(hunk: readonly PatchLine[], left: '+' | '-'): PatchSide {
  const lines = hunk.filter(({ line }) => !line.startsWith(left))
  const starts: number[] = []
  let length = 0
  for (const { line } of lines) {
    starts.push(length)
    // Without the prefix character, but with the line end.
    length += Math.max(line.length, 1)
  }
  return {
    text: lines.map(({ line }) => line.slice(1)).join('\n'),
    offsetOf(place) {
      const number = lastAtMost(starts, place)
      return lines[number]!.at + 1 + place - starts[number]!
    },
  }
}

/** The index of the last element that is at most `value`. */
function lastAtMost(sorted: readonly number[], value: number): number {
  return Math.max(0, partitionPoint(sorted.length, (at) => sorted[at]! <= value) - 1)
}

/** In order. Excludes control lines, and lines whose file is ambiguous. */
export function patchSections(text: string): PatchSection[] {
  const sections: PatchSection[] = []
  let file: Pick<PatchSection, 'path' | 'isWhole'> | undefined
  let start = 0
  const close = (end: number): void => {
    if (file !== undefined && start < end) sections.push({ ...file, start, end })
  }
  let at = 0
  for (const line of text.split('\n')) {
    const next = Math.min(at + line.length + 1, text.length)
    if (controlLine.test(line) || doubtfulLine.test(line)) {
      close(at)
      if (!sameFileLine.test(line)) file = fileNamedIn(line)
      start = next
    }
    at = next
  }
  close(text.length)
  return sections
}

function fileNamedIn(line: string): Pick<PatchSection, 'path' | 'isWhole'> | undefined {
  const [, change, name = ''] = fileLine.exec(line.trimEnd()) ?? []
  const path = name.trim()
  return path === '' ? undefined : { path, isWhole: change === 'Add' }
}
