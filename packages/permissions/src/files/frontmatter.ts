/** Parses the frontmatter of a Markdown file and keeps the position of each part. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { indexLines, type Position } from '@contextd/shared/json/text-position'
import { parseYaml, type YamlRange } from './yaml-source.ts'

/** A range in the file, with offsets in UTF-16 code units including a byte order mark. */
export interface FileSpan extends Position {
  readonly start: number
  readonly end: number
}

export interface Frontmatter {
  readonly ok: true
  /** Whether it was read without the full YAML parser. */
  readonly isPlain: boolean
  readonly value: JsonObject
  /** The position of the value at `path`, or of its key; undefined if the path does not exist. */
  readonly locate: (path: JsonPath, part?: 'value' | 'key') => FileSpan | undefined
  /** Top-level keys that a later duplicate overrides. */
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
  /** Captures the YAML in its last group. Must match at the start of the text, after any byte order mark. */
  readonly fence?: RegExp
  /** Rewrites malformed YAML, for a client that retries. */
  readonly secondTry?: (yaml: string) => Rewritten
  /** Whether duplicate keys, at any depth, are an error. */
  readonly uniqueKeys?: boolean
}

/** `original` maps offsets in the rewritten text to the original. */
export interface Rewritten {
  readonly yaml: string
  readonly original: (offset: number) => number
}

const defaultFence = /^---[ \t]*\r?\n([^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/
/** Far above any real frontmatter; bounds the parsing time. */
const maxYamlLength = 65_536

/** Offset at which the body begins, without parsing the frontmatter. */
export function bodyOf(text: string, fence = defaultFence): number {
  const bomLength = text.startsWith('\uFEFF') ? 1 : 0
  const match = fence.exec(text.slice(bomLength))
  return match === null ? 0 : bomLength + match[0].length
}

/** Undefined if the text has no frontmatter. */
export function readFrontmatter(
  text: string,
  { fence = defaultFence, secondTry, uniqueKeys = false }: FrontmatterReading = {},
): Frontmatter | FrontmatterFault | undefined {
  const bomLength = text.startsWith('\uFEFF') ? 1 : 0
  const match = new RegExp(fence, 'd').exec(text.slice(bomLength))
  if (match === null) return undefined
  const yaml = match.at(-1) ?? ''
  const start = bomLength + (match.indices?.at(-1)?.[0] ?? 0)
  const body = bomLength + match[0].length
  const positionAt = indexLines(text.slice(0, body))
  const fault = (message: string, offset: number): FrontmatterFault => ({
    ok: false,
    message,
    ...positionAt(start + offset),
    body,
  })
  if (yaml.length > maxYamlLength) return fault(`it is longer than ${maxYamlLength} characters`, 0)

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
      const yamlRange = range(path, part)
      return yamlRange && span(yamlRange)
    },
    voided: voided.flatMap(({ key, range: yamlRange }) => [{ key, ...span(yamlRange) }]),
    body,
  }
}
