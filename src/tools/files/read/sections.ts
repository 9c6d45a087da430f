/**
 * Shows parts of a document, such as pages and cells, under headings. The parts are masked together, before the
 * headings are added: a key may continue on the next page.
 */

import type { ToolHost } from '../../../core/ports.ts'
import { counted } from '@contextd/shared/text/counted'
import { lineNumbers, linesIn } from '../number-lines.ts'
import { withoutCutToken, withoutLookahead, withoutSecretParts } from '../secret-parts.ts'

export interface Section {
  readonly heading: string
  readonly text: string
  /** A longer text is shown without its middle. */
  readonly maxLength?: number
  /** Only the beginning is shown: the rest was read for finding secrets. */
  readonly isCut?: boolean
}

/** Text of the document next to the sections, which is not shown. */
export interface Surroundings {
  readonly before: string
  readonly after: string
}

export async function showSections(
  sections: readonly Section[],
  { before, after }: Surroundings,
  scrub: ToolHost['scrub'],
): Promise<string> {
  const starts: number[] = []
  let lines: string[] = []
  for (const { text } of sections) {
    starts.push(lines.length)
    lines = lines.concat(linesIn(text))
  }
  const part = lines.join('\n')
  const isAll = before === '' && after === ''
  const shown = isAll ? part : await withoutSecretParts(part, [before, part, after].join('\n'), scrub)
  const masked = linesIn(await scrub(shown))
  const numbers = await lineNumbers(lines, masked, scrub)
  const shownLines: string[][] = sections.map(() => [])
  let at = 0
  for (const [index, line] of masked.entries()) {
    // A line without a number belongs to a secret of several lines, which starts in the section before it.
    const number = numbers[index] ?? -1
    while (at + 1 < sections.length && starts[at + 1]! <= number) at++
    shownLines[at]?.push(line)
  }
  return sections
    .map((section, index) => `--- ${section.heading} ---\n${shorten(shownLines[index]!.join('\n'), section)}`)
    .map((text) => (text.endsWith('\n') ? text : `${text}\n`))
    .join('')
}

function shorten(masked: string, { maxLength = Infinity, isCut = false }: Section): string {
  if (isCut) return withoutLookahead(masked)
  if (masked.length <= maxLength) return masked
  const half = Math.floor(maxLength / 2)
  const start = wholeLines(masked.slice(0, half))
  const end = masked.slice(-half)
  const from = end.indexOf('\n')
  const rest = from === -1 ? end.replace(/^[A-Z0-9_]{0,32}\]/, '') : end.slice(from + 1)
  const left = masked.length - start.length - rest.length
  return `${start}\n[… ${counted(left, 'character')} left out …]\n${rest}`
}

function wholeLines(start: string): string {
  const to = start.lastIndexOf('\n')
  return to === -1 ? withoutCutToken(start) : start.slice(0, to)
}

/** The first of the parts that a call asks for, from 1. A negative offset counts from the end. */
export function firstPart(offset: number, total: number): number {
  return offset < 0 ? Math.max(1, total + 1 + offset) : Math.max(1, offset)
}

/** `1-10 of 42` */
export function partsShown(first: number, count: number, total: number): string {
  return count === 0 ? `none of ${total}` : `${first}-${first + count - 1} of ${total}`
}
