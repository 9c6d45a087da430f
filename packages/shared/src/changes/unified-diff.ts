/** Unified diff of two texts. */

import { sharedOrder } from '../json/revise-json.ts'

const context = 3
/** With more lines than this on both sides the middle is one block: the table of all pairs would be too large. */
const most = 2_000

interface Line {
  readonly kind: ' ' | '-' | '+'
  readonly text: string
}

export function unifiedDiff(before: string | undefined, after: string | undefined, path: string): string[] {
  const lines = compare(linesOf(before), linesOf(after))
  const changed = lines.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]))
  if (changed.length === 0) return []
  const result = [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
  ]
  for (const [start, end] of hunksAround(changed, lines.length)) {
    const above = lines.slice(0, start)
    const hunk = lines.slice(start, end)
    result.push(`@@ -${range(above, hunk, '+')} +${range(above, hunk, '-')} @@`)
    for (const { kind, text } of hunk) {
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

/** `other` is the kind of line that the other side has. */
function range(above: readonly Line[], hunk: readonly Line[], other: '-' | '+'): string {
  const count = (lines: readonly Line[]): number => lines.filter(({ kind }) => kind !== other).length
  const [start, length] = [count(above), count(hunk)]
  return length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`
}

function compare(from: readonly string[], to: readonly string[]): Line[] {
  let head = 0
  while (head < from.length && head < to.length && from[head] === to[head]) head++
  let tail = 0
  while (tail < Math.min(from.length, to.length) - head && from.at(-1 - tail) === to.at(-1 - tail)) tail++
  const mark = (kind: Line['kind'], texts: readonly string[]): Line[] => texts.map((text) => ({ kind, text }))
  return [
    ...mark(' ', from.slice(0, head)),
    ...middle(from.slice(head, from.length - tail), to.slice(head, to.length - tail)),
    ...mark(' ', from.slice(from.length - tail)),
  ]
}

function middle(from: readonly string[], to: readonly string[]): Line[] {
  const shared = from.length + to.length > most ? [] : [...sharedOrder(from, to)]
  const lines: Line[] = []
  let [old, next] = [0, 0]
  for (const [index, same] of [...shared, [to.length, from.length] as const]) {
    for (; old < same; old++) lines.push({ kind: '-', text: from[old] ?? '' })
    for (; next < index; next++) lines.push({ kind: '+', text: to[next] ?? '' })
    if (next < to.length) lines.push({ kind: ' ', text: to[next] ?? '' })
    old++
    next++
  }
  return lines
}

/** Including line ends, so that a missing final newline is a difference. */
function linesOf(text: string | undefined): string[] {
  return text?.match(/[^\n]+\n?|\n/g) ?? []
}
