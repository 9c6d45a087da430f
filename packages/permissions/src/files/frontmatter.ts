/** The YAML at the head of a Markdown file: what it says, and where each part of it stands. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { indexLines, type Position } from '@contextd/shared/json/text-position'
import { parseYaml, type YamlRange } from './yaml-source.ts'

/** A stretch of the file; offsets in UTF-16 units, a byte order mark included. */
export interface FileSpan extends Position {
  readonly start: number
  readonly end: number
}

export interface Frontmatter {
  readonly ok: true
  /** Whether it was read without the parser for all of YAML. */
  readonly isPlain: boolean
  readonly value: JsonObject
  /** Where the value at `path` (or its key) stands; undefined where there is no such path. */
  readonly locate: (path: JsonPath, part?: 'value' | 'key') => FileSpan | undefined
  /** Keys of the outermost level that a later one of the same name makes void. */
  readonly voided: readonly (FileSpan & { readonly key: string })[]
  /** Offset at which the body begins. */
  readonly body: number
}

export interface FrontmatterFault extends Position {
  readonly ok: false
  readonly message: string
  readonly body: number
}

export interface FrontmatterReading {
  /** With the YAML as its last group; must match from the start of the text, a byte order mark aside. */
  readonly fence?: RegExp
  /** Another way to write the YAML, for a client that tries again where it cannot be read as it stands. */
  readonly secondTry?: (yaml: string) => Rewritten
  /** A key given twice, at any depth, is an error. */
  readonly uniqueKeys?: boolean
}

/** `original`: offsets in what was rewritten to offsets in what it was made from. */
export interface Rewritten {
  readonly yaml: string
  readonly original: (offset: number) => number
}

const ownLines = /^---[ \t]*\r?\n([^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/
/** Much more than anybody writes; what is longer is not worth the time it may cost. */
const longest = 65_536

/** Offset at which the body begins: what stands before it is not read. */
export function bodyOf(text: string, fence = ownLines): number {
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const found = fence.exec(text.slice(mark))
  return found === null ? 0 : mark + found[0].length
}

/** Undefined where a text has none. */
export function readFrontmatter(
  text: string,
  { fence = ownLines, secondTry, uniqueKeys = false }: FrontmatterReading = {},
): Frontmatter | FrontmatterFault | undefined {
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const found = new RegExp(fence, 'd').exec(text.slice(mark))
  if (found === null) return undefined
  const yaml = found.at(-1) ?? ''
  const start = mark + (found.indices?.at(-1)?.[0] ?? 0)
  const body = mark + found[0].length
  const positionAt = indexLines(text.slice(0, body))
  const fault = (message: string, offset: number): FrontmatterFault => ({
    ok: false,
    message,
    ...positionAt(start + offset),
    body,
  })
  if (yaml.length > longest) return fault(`it is longer than ${longest} characters`, 0)

  let parsed = parseYaml(yaml, { uniqueKeys })
  let original = (offset: number): number => offset
  if (!parsed.ok && secondTry !== undefined) {
    const rewritten = secondTry(yaml)
    const again = parseYaml(rewritten.yaml, { uniqueKeys })
    if (again.ok) [parsed, original] = [again, rewritten.original]
  }
  if (!parsed.ok) return fault(parsed.message, parsed.offset)
  const { value, isPlain, range, voided } = parsed
  const span = ([from, to]: YamlRange): FileSpan => {
    const at = start + original(from)
    return { start: at, end: start + original(to), ...positionAt(at) }
  }
  return {
    ok: true,
    isPlain,
    value,
    locate(path, part = 'value') {
      const found = range(path, part)
      return found && span(found)
    },
    voided: voided.flatMap(({ key, range: found }) => [{ key, ...span(found) }]),
    body,
  }
}
