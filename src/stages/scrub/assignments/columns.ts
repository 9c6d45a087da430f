/** Tables with a heading: below `password` in a CSV file or a query's answer, every cell is one. */

import type { SecretSpan } from '../span.ts'
import { classifyName } from './name.ts'
import { isSecretValue } from './value.ts'

const mostRows = 1000
const longestLine = 2000

/** What stands below the name `start`–`end`, if its line is the heading of a table. */
export function findInColumn(text: string, start: number, end: number): SecretSpan[] {
  const separator = separatorAround(text, start, end)
  if (separator === undefined) return []
  const lineStart = text.lastIndexOf('\n', start) + 1
  const heading = lineAt(text, lineStart)
  if (heading === undefined || start - lineStart > longestLine) return []
  const cells = heading.split(separator)
  if (cells.length < 2 || !cells.every((cell) => /^\s*"?[A-Za-z_][\w-]{0,40}"?\s*$/.test(cell))) return []
  const name = classifyName(text.slice(start, end))
  if (name === 'none') return []
  const column = text.slice(lineStart, start).split(separator).length - 1
  return cellsBelow(text, lineStart + heading.length + 1, separator, cells.length, column)
    .filter(([at, to]) => isSecretValue(text.slice(at, to), { name, style: 'alone', environment: false }))
    .map(([at, to]) => ({
      rule: name === 'password' ? 'generic-password' : 'generic-api-key',
      start: at,
      end: to,
    }))
}

/** A comma, tab, semicolon or bar next to the name, blanks and quotes aside. */
function separatorAround(text: string, start: number, end: number): string | undefined {
  const after = /^"?[ ]{0,40}([,;|\t])/.exec(text.slice(end, end + 44))?.[1]
  return after ?? /([,;|\t])[ ]{0,40}"?$/.exec(text.slice(Math.max(0, start - 44), start))?.[1]
}

function lineAt(text: string, start: number): string | undefined {
  const line = text.slice(start, start + longestLine)
  const end = line.indexOf('\n')
  return end === -1 ? (start + longestLine >= text.length ? line : undefined) : line.slice(0, end)
}

function cellsBelow(
  text: string,
  from: number,
  separator: string,
  width: number,
  column: number,
): [number, number][] {
  const found: [number, number][] = []
  let at = from
  for (let row = 0; row < mostRows && at < text.length; row++) {
    const line = lineAt(text, at)
    if (line === undefined) break
    // The rule under the heading that databases print.
    if (!/^[-+| =]+\r?$/.test(line)) {
      const cells = line.split(separator)
      if (cells.length !== width) break
      const before = cells.slice(0, column).reduce((sum, cell) => sum + cell.length + 1, 0)
      const cell = cells[column]!
      const value = cell.trim().replace(/^"|"$/g, '')
      const start = at + before + cell.indexOf(value)
      if (value !== '') found.push([start, start + value.length])
    }
    at += line.length + 1
  }
  return found
}
