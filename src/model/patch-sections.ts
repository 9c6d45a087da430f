/** Which file each part of a patch changes, in the format of `apply_patch`. Pure. */

import { partitionPoint } from '@contextd/shared/text/partition-point'

export interface PatchSection {
  readonly path: string
  /** All of the file, also where there is one already. */
  readonly isWhole: boolean
  /** Lines of the file, each behind a blank, `+` or `-`. */
  readonly start: number
  readonly end: number
}

const controlLine = /^\*\*\*/
const fileLine = /^\*\*\* (Add|Update|Delete) File:(.*)$/
/** The file before it is still the one that is changed. */
const sameFileLine = /^\*\*\* (?:Move to:|End of File)/
/** Some clients read a line that names a file also behind blanks, where for others it is a line of the file before. */
const doubtfulLine = /^[^+\-*].*\*\*\* ?(?:Add|Update|Delete) ?File/

/** One half of a hunk: the lines that are in the file before it, or behind it. */
export interface PatchSide {
  readonly text: string
  /** Where a place of the text is in the patch. */
  offsetOf(at: number): number
}

export interface PatchHunk {
  readonly old: PatchSide
  readonly new: PatchSide
}

/** Each as the edit that it is. */
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
    // Without the character in front, and with the line end.
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

/** The index of the last of these that is not larger. */
function lastAtMost(sorted: readonly number[], value: number): number {
  return Math.max(0, partitionPoint(sorted.length, (at) => sorted[at]! <= value) - 1)
}

/** In order. Lines that no file is certain for are in none of them, and neither are those that control the patch. */
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
