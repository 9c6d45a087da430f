/** Tables with a header row: every cell below `password` in a CSV file or a query result is a secret. */

import type { SecretSpan } from '../text/span.ts'
import { classifyName, type NameClass } from './name.ts'
import { isSecretValue } from './value.ts'

export interface TextTable {
  readonly spans: readonly SecretSpan[]
  readonly end: number
}

const maxRows = 1000
const maxLineLength = 1000

/** The table whose header row contains the offset `at`; undefined if that line is not a header. */
export function readTextTable(text: string, at: number): TextTable | undefined {
  const before = text.slice(Math.max(0, at - maxLineLength), at)
  const start = at - before.length + before.lastIndexOf('\n') + 1
  const header = lineAt(text, start)
  const separator = header === undefined ? undefined : /[,;|\t]/.exec(header)?.[0]
  if (header === undefined || separator === undefined) return undefined
  const names = header.split(separator).map((cell) => cell.trim().replaceAll('"', ''))
  if (!names.every((name) => /^[A-Za-z_][\w-]{0,40}$/.test(name))) return undefined
  return readRows(text, start + header.length + 1, separator, names.map(classifyName))
}

/** The table ends at the first row whose cell count differs from the header's. */
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
    // Database clients print a line of dashes below the header.
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
