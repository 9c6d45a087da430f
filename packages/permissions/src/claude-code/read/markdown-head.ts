/** The frontmatter of agent and skill files, with the position of each value. */

import type { Json } from '@contextd/shared/json/value'
import { unreadableFile, voidedKey, type FileProblem } from '../../files/client-files.ts'
import type { Frontmatter } from '../../files/frontmatter.ts'
import type { LimitedReader } from '../../files/limited-reader.ts'
import { readClaudeFrontmatter } from './frontmatter.ts'
import type { Entry } from '../setup/setup.ts'

export interface MarkdownHead {
  readonly text: string
  /** Undefined if the frontmatter is missing or cannot be parsed. */
  readonly matter: Frontmatter | undefined
  /** Offset at which the body begins. */
  readonly body: number
}

/** The consequences of an unreadable file and of malformed frontmatter: `the agent is not available`. */
export interface Losses {
  readonly unreadable: string
  readonly malformed: string
}

/** State shared by reading many files. */
export interface HeadReading {
  readonly reader: LimitedReader
  readonly problems: FileProblem[]
}

/** Undefined if there is no readable file. */
export function readMarkdownHead(
  file: string,
  reading: HeadReading,
  losses: Losses,
): MarkdownHead | undefined {
  const read = reading.reader.read(file)
  if (read.kind === 'missing') return undefined
  if (read.kind === 'unreadable') {
    reading.problems.push(unreadableFile(file, `The file ${read.why}: ${losses.unreadable}.`))
    return undefined
  }
  return headIn(read.bytes.toString(), file, reading, losses)
}

/** For a text that may be only part of a file. */
export function headIn(
  text: string,
  file: string,
  { reader, problems }: HeadReading,
  losses: Pick<Losses, 'malformed'>,
): MarkdownHead {
  const matter = readClaudeFrontmatter(text)
  reader.count(matter)
  if (matter?.ok === false) {
    const { line, column, message } = matter
    problems.push({
      file,
      line,
      column,
      kind: 'malformed',
      message: `The frontmatter is malformed (${message}): ${losses.malformed}.`,
      fix: 'Correct the frontmatter at this place.',
    })
  }
  const usable = matter?.ok === true ? matter : undefined
  for (const key of usable?.voided ?? []) problems.push(voidedKey(file, key))
  if (matter === undefined && /^\uFEFF?---\s*\n/.test(text)) {
    problems.push({
      file,
      line: 1,
      column: 1,
      kind: 'malformed',
      message: `The frontmatter is not closed: ${losses.malformed}.`,
      fix: 'Add a line with three dashes after it.',
    })
  }
  return { text, matter: usable, body: matter?.body ?? 0 }
}

/** The value of each key as text. Line and column are those of the key, the offsets those of the value. */
export function keyEntries(file: string, { value, locate }: Frontmatter): ReadonlyMap<string, Entry> {
  return new Map(Object.entries(value).flatMap(([key, item]) => keyEntry(key, item, locate, file)))
}

function keyEntry(key: string, value: Json, locate: Frontmatter['locate'], file: string): [string, Entry][] {
  const [name, span] = [locate([key], 'key'), locate([key])]
  if (name === undefined || span === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [[key, { file, text, line: name.line, column: name.column, start: span.start, end: span.end }]]
}

/** Tools from a string separated by commas or spaces, or from a list of such strings; other types are ignored. */
export function toolEntries(
  key: string,
  { value, locate }: Frontmatter,
  file: string,
  text: string,
): Entry[] | undefined {
  if (!Object.hasOwn(value, key)) return undefined
  const given = value[key]
  const items: (readonly [Json, readonly (string | number)[]])[] = Array.isArray(given)
    ? given.map((item, index) => [item, [key, index]] as const)
    : [[given ?? null, [key]]]
  return items.flatMap(([item, path]) => {
    const span = locate(path)
    if (typeof item !== 'string' || span === undefined) return []
    const source = text.slice(span.start, span.end)
    let { line, column, start } = span
    return toolsIn(item).flatMap((tool): Entry[] => {
      const from = start - span.start
      const at = source.indexOf(tool, from)
      // Not found verbatim because of escapes: use the position of the whole value.
      if (at === -1) return [{ file, text: tool, ...span }]
      const linesBefore = source.slice(from, at).split('\n')
      line += linesBefore.length - 1
      column = (linesBefore.length === 1 ? column : 1) + (linesBefore.at(-1) ?? '').length
      const place = { line, column, start: span.start + at, end: span.start + at + tool.length }
      column += tool.length
      start = place.end
      return [{ file, text: tool, ...place }]
    })
  })
}

/** Commas and spaces inside parentheses belong to the entry. */
export function toolsIn(text: string): string[] {
  return (text.match(/(?:\([^)]*\)?|[^, (])+/g) ?? []).map((tool) => tool.trim()).filter(Boolean)
}
