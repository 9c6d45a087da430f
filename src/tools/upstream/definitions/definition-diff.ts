/** A diff of two tool definitions, for users to review. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { diffRows, type DiffRow } from '@contextd/shared/text/sequence-diff'
import { showHidden } from '../../../platform/hidden-characters.ts'
import type { PinnedDefinition } from './pinned-definition.ts'

/** Fits a terminal, so that no line is truncated. */
const width = 100

/** Lines that begin with `-` (old), `+` (new) or a space (both): at most `maxLines`, then the number of omitted lines. */
export function diffDefinitions(
  was: PinnedDefinition,
  is: PinnedDefinition,
  maxLines = 200,
): readonly string[] {
  const lines = [
    ...textDiff('title', was.title, is.title),
    ...textDiff('description', was.description, is.description),
    ...(['inputSchema', 'outputSchema', 'annotations'] as const).flatMap((part) =>
      valueDiff(part, was[part], is[part]),
    ),
  ]
  if (lines.length <= maxLines) return lines
  return [...lines.slice(0, maxLines), `  … and ${lines.length - maxLines} more lines`]
}

function textDiff(field: string, was = '', is = ''): string[] {
  if (was === is) return []
  const changes = lineDiff(wrapped(was), wrapped(is))
  return [`  ${field}:`, ...(changes.length > 0 ? changes : ['  only line breaks differ'])]
}

function valueDiff(field: string, was: Json | undefined, is: Json | undefined): string[] {
  const before = new Map(leaves(field, was))
  const after = new Map(leaves(field, is))
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .flatMap((path) => leafLines('-', path, before.get(path)).concat(leafLines('+', path, after.get(path))))
}

function leafLines(sign: string, path: string, value: string | undefined): string[] {
  if (value === undefined) return []
  const [first = '', ...rest] = wrapped(`${path}: ${value}`)
  return [`${sign} ${first}`, ...rest.map((line) => `${sign}   ${line}`)]
}

function* leaves(path: string, value: Json | undefined): Generator<[path: string, text: string]> {
  if (value === undefined) return
  if (Array.isArray(value) && value.length > 0) {
    for (const [at, item] of value.entries()) yield* leaves(`${path}[${at}]`, item)
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [key, item] of Object.entries(value)) {
      yield* leaves(
        `${path}${/^[A-Za-z_$][\w$-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}`,
        item,
      )
    }
  } else yield [path, JSON.stringify(value)]
}

/** One line per sentence, complete, with codes for invisible characters. */
function wrapped(text: string): string[] {
  return text.split(/\r?\n|(?<=[.!?]) /).flatMap((line) => {
    const shown = showHidden(line)
    const rows: string[] = []
    for (let from = 0; from < shown.length || from === 0; from += width)
      rows.push(shown.slice(from, from + width))
    return rows
  })
}

/** The changed part, with one line of context before and after it. */
function lineDiff(was: readonly string[], is: readonly string[]): string[] {
  const rows = diffRows(was, is)
  const isChange = ({ kind }: DiffRow): boolean => kind !== ' '
  const [first, last] = [rows.findIndex(isChange), rows.findLastIndex(isChange)]
  if (first === -1) return []
  return rows.slice(Math.max(0, first - 1), last + 2).map(({ kind, text }) => `${kind} ${text}`)
}
