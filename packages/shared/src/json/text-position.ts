import { partitionPoint } from '../text/partition-point.ts'

/** A position in a file, 1-based as in editors. */
export interface Position {
  readonly line: number
  readonly column: number
}

export function positionAt(text: string, offset: number): Position {
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    lineStart = at + 1
  }
  return { line, column: offset - lineStart + 1 }
}

/** Looks up positions in logarithmic time, since a rules file needs the line of each rule. */
export function indexLines(text: string): (offset: number) => Position {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    const line = lineOf(starts, offset)
    return { line: line + 1, column: offset - starts[line]! + 1 }
  }
}

/** The offset at which each line begins. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The index of the line that contains the offset. */
export function lineOf(starts: readonly number[], offset: number): number {
  return Math.max(0, partitionPoint(starts.length, (line) => starts[line]! <= offset) - 1)
}
