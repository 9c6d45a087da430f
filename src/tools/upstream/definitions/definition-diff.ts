/** A diff of two tool definitions, for users to review. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { showHidden } from '../../../platform/hidden-characters.ts'
import type { PinnedDefinition } from './pinned-definition.ts'

/** Fits a terminal, so that no line is truncated. */
const width = 100
/** Longer differences are not aligned: all old lines are shown, then all new ones. */
const maxCompared = 400

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
  return [`  ${field}:`, ...(changes.some(isChange) ? changes : ['  only line breaks differ'])]
}

function isChange(line: string): boolean {
  return !line.startsWith(' ')
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

function lineDiff(was: readonly string[], is: readonly string[]): string[] {
  let head = 0
  while (head < was.length && was[head] === is[head]) head++
  let tail = 0
  while (tail < Math.min(was.length, is.length) - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++
  const old = was.slice(head, was.length - tail)
  const now = is.slice(head, is.length - tail)
  return [
    ...around(was.slice(0, head), 'before'),
    ...(old.length > maxCompared || now.length > maxCompared
      ? [...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)]
      : commonLines(old, now)),
    ...around(was.slice(was.length - tail), 'after'),
  ]
}

/** One line of context. */
function around(same: readonly string[], side: 'before' | 'after'): string[] {
  const nearest = side === 'before' ? same.at(-1) : same[0]
  return nearest === undefined ? [] : [`  ${nearest}`]
}

/** Aligns by the longest common subsequence of lines. */
function commonLines(old: readonly string[], now: readonly string[]): string[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        old[i] === now[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(`  ${old[i++]}`)
      j++
    } else if (j >= now.length || (i < old.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push(`- ${old[i++]}`)
    } else lines.push(`+ ${now[j++]}`)
  }
  return lines
}
