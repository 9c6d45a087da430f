/** Puts line numbers in front of the lines of a masked text. */

import type { ToolHost } from '../../core/ports.ts'

/** In front of lines whose number is unknown, because a secret of several lines was masked near them. */
const unknown = '?'

/**
 * The numbers are those of the original lines, although a token may be in place of several. `scrub` tells whether a
 * masked line was a line by itself.
 */
export async function numberLines(
  original: string,
  masked: string,
  first: number,
  scrub: ToolHost['scrub'],
): Promise<string> {
  const after = linesIn(masked)
  const numbers = await lineNumbers(linesIn(original), after, scrub)
  const end = masked.endsWith('\n') ? '\n' : ''
  return after.map((line, index) => `${shownNumber(numbers[index], first)}\t${line}`).join('\n') + end
}

function shownNumber(index: number | undefined, first: number): number | string {
  return index === undefined ? unknown : first + index
}

/** The index of each masked line before it was masked; undefined where it is unknown. */
export async function lineNumbers(
  before: readonly string[],
  after: readonly string[],
  scrub: ToolHost['scrub'],
): Promise<(number | undefined)[]> {
  const isSame = async (line = '', shown = ''): Promise<boolean> =>
    line === shown || (await scrub(line)) === shown
  const numbers: (number | undefined)[] = []
  if (before.length === after.length) {
    for (const index of after.keys()) numbers[index] = index
  } else {
    let start = 0
    while (start < after.length && (await isSame(before[start], after[start]))) numbers[start] = start++
    // The token that is in place of several lines starts in the first of them.
    if (start < after.length) numbers[start] = start
    const moved = before.length - after.length
    for (let at = after.length - 1; at > start && (await isSame(before[at + moved], after[at])); at--) {
      numbers[at] = at + moved
    }
  }
  return numbers
}

/** The line end at the end of a text starts no line. */
export function linesIn(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
