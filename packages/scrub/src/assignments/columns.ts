/** Tables with a heading: below `password` in a CSV file or a query's answer, every cell is one. */

import type { SecretSpan } from '../text/span.ts'
import { classifyName, type NameClass } from './name.ts'
import { isSecretValue } from './value.ts'

export interface TextTable {
  readonly spans: readonly SecretSpan[]
  readonly end: number
}

const maxRows = 1000
const maxLineLength = 1000

/** The table whose heading is the line that holds `at`; undefined where that line is none. */
export function readTextTable(text: string, at: number): TextTable | undefined {
  const before = text.slice(Math.max(0, at - maxLineLength), at)
  const start = at - before.length + before.lastIndexOf('\n') + 1
  const heading = lineAt(text, start)
  const separator = heading === undefined ? undefined : /[,;|\t]/.exec(heading)?.[0]
  if (heading === undefined || separator === undefined) return undefined
  const names = heading.split(separator).map((cell) => cell.trim().replaceAll('"', ''))
  if (!names.every((name) => /^[A-Za-z_][\w-]{0,40}$/.test(name))) return undefined
  return readRows(text, start + heading.length + 1, separator, names.map(classifyName))
}

/** Every row has as many cells as the heading. */
function readRows(
  text: string,
  from: number,
  separator: string,
  columns: readonly NameClass[],
): TextTable | undefined {
  const spans: SecretSpan[] = []
  let at = from
  let rows = 0
  for (; rows < maxRows && at < text.length; rows++) {
    const line = lineAt(text, at)
    if (line === undefined) break
    // Databases print a line of dashes under the heading.
    if (!/^[-+| =]+\r?$/.test(line)) {
      const cells = line.split(separator)
      if (cells.length !== columns.length) break
      spans.push(...secretCells(at, cells, columns))
    }
    at += line.length + 1
  }
  return rows === 0 ? undefined : { spans, end: Math.min(at, text.length) }
}

function secretCells(
  lineStart: number,
  cells: readonly string[],
  columns: readonly NameClass[],
): SecretSpan[] {
  const spans: SecretSpan[] = []
  let at = lineStart
  for (const [i, cell] of cells.entries()) {
    const name = columns[i]!
    const value = name === 'none' ? '' : cell.trim().replace(/^"|"$/g, '')
    if (name !== 'none' && isSecretValue(value, { name, style: 'alone', environment: false })) {
      const start = at + cell.indexOf(value)
      spans.push({
        rule: name === 'password' ? 'generic-password' : 'generic-api-key',
        start,
        end: start + value.length,
      })
    }
    at += cell.length + 1
  }
  return spans
}

function lineAt(text: string, start: number): string | undefined {
  const line = text.slice(start, start + maxLineLength)
  const end = line.indexOf('\n')
  if (end !== -1) return line.slice(0, end)
  return start + maxLineLength >= text.length ? line : undefined
}
