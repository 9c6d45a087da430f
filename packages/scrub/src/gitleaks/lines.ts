/** Maps offsets of a text to lines and columns. */

import { lineOf, lineStarts } from '@contextd/shared/json/text-position'
import type { MatchRange } from './re2.ts'

export interface Lines {
  /** From 1. */
  lineAt(offset: number): number
  columnAt(offset: number): number
  /** The range of the lines from `start` to `end`, without the last line break. */
  around(start: number, end: number): MatchRange
}

/** The line starts are computed on first use. */
export function lineIndexOf(text: string): Lines {
  let starts: number[] | undefined
  const startOf = (line: number): number | undefined => (starts ??= lineStarts(text))[line]
  const indexOf = (offset: number): number => lineOf((starts ??= lineStarts(text)), offset)
  return {
    lineAt: (offset) => indexOf(offset) + 1,
    columnAt: (offset) => offset - startOf(indexOf(offset))! + 1,
    around: (start, end) => {
      const next = startOf(indexOf(end) + 1)
      const last = next === undefined ? text.length : next - 1
      return { start: startOf(indexOf(start))!, end: last > end && text[last - 1] === '\r' ? last - 1 : last }
    },
  }
}
