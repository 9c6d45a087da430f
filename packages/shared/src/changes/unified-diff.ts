/** Unified diff of two texts. */

import { diffRows, linesWithEnds, type DiffRow } from '../text/sequence-diff.ts'

const context = 3

export function unifiedDiff(before: string | undefined, after: string | undefined, path: string): string[] {
  const rows = diffRows(linesWithEnds(before ?? ''), linesWithEnds(after ?? ''))
  const changed = rows.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]))
  if (changed.length === 0) return []
  const result = [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
  ]
  const [old, next] = [linesAbove(rows, '+'), linesAbove(rows, '-')]
  for (const [start, end] of hunksAround(changed, rows.length)) {
    result.push(`@@ -${range(old, start, end)} +${range(next, start, end)} @@`)
    for (const { kind, text } of rows.slice(start, end)) {
      const [line = '', unfinished] = text.split(/\r?(\n)/)
      result.push(kind + line, ...(unfinished === undefined ? ['\\ No newline at end of file'] : []))
    }
  }
  return result
}

function hunksAround(changed: readonly number[], length: number): [number, number][] {
  const hunks: [number, number][] = []
  for (const index of changed) {
    const [from, to] = [Math.max(0, index - context), Math.min(length, index + context + 1)]
    const last = hunks.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = to
    else hunks.push([from, to])
  }
  return hunks
}

/** For each row and the end, how many lines of one side are above it; `other`: the kind that this side does not have. */
function linesAbove(rows: readonly DiffRow[], other: '-' | '+'): number[] {
  let count = 0
  return [0, ...rows.map(({ kind }) => (kind === other ? count : ++count))]
}

function range(above: readonly number[], start: number, end: number): string {
  const first = above[start]!
  const length = above[end]! - first
  return length === 1 ? `${first + 1}` : `${length === 0 ? first : first + 1},${length}`
}
