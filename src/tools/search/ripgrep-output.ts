/** Reads what ripgrep prints with `--null`: names end with a NUL, which no name and no shown line contains. */

import type { FoundLine, SearchedFile } from './search.ts'

/** `name NUL name NUL`; a name that was cut off is dropped. */
export function readNames(output: string): string[] {
  return output.split('\0').slice(0, -1).map(withoutDot)
}

/** `name NUL count`, one per line. */
export function readCounts(output: string): SearchedFile[] {
  return recordsOf(output).map(([name, count]) => ({ name, count: Number(count), lines: [] }))
}

/** `name NUL number:offset:text`, or with `-` for a line of context. */
export function readLines(output: string): SearchedFile[] {
  const files = new Map<string, FoundLine[]>()
  for (const [name, rest] of recordsOf(output)) {
    const line = readLine(rest)
    if (line === undefined) continue
    const known = files.get(name)
    if (known === undefined) files.set(name, [line])
    else known.push(line)
  }
  return [...files].map(([name, lines]) => ({
    name,
    lines,
    count: lines.filter(({ isMatch }) => isMatch).length,
  }))
}

const linePlace = /^(\d{1,15})([:-])(\d{1,15})[:-]/
const omitted = /^\[Omitted long [a-z0-9 ]{1,64}\]$/

function readLine(rest: string): FoundLine | undefined {
  const [start = '', number, kind, offset] = linePlace.exec(rest) ?? []
  if (number === undefined) return undefined
  const text = rest.slice(start.length).replace(/\r$/, '')
  return {
    number: Number(number),
    offset: Number(offset),
    text: omitted.test(text) ? undefined : text,
    isMatch: kind === ':',
  }
}

/** Whole lines only: the last one may have been cut off. A remark about a binary file has no NUL. */
function recordsOf(output: string): [name: string, rest: string][] {
  return output
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const end = line.indexOf('\0')
      return end === -1 ? [] : [[withoutDot(line.slice(0, end)), line.slice(end + 1)]]
    })
}

function withoutDot(name: string): string {
  return name.startsWith('./') ? name.slice(2) : name
}
