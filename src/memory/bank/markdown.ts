/**
 * Memories as Markdown files that users can read, write and keep under version control: front matter with the fields,
 * followed by the content.
 *
 *     ---
 *     title: "Wait for the port, not for a second"
 *     description: "For tests that start a server; not where the server tells when it is ready."
 *     outcome: success
 *     tags: ["tests", "flaky"]
 *     ---
 *
 *     A fixed pause fails on a slow machine. Ask the port until it answers.
 */

import { fileProblem, type JsonProblem } from '../../platform/config/json-problem.ts'
import {
  fromFields,
  portableIssues,
  toFields,
  visibleJson,
  type ParsedLine,
  type PortableDefaults,
  type PortableField,
  type PortableFields,
  type PortableMemory,
} from './jsonl.ts'

const fence = '---'
const lists: ReadonlySet<string> = new Set<PortableField>(['tags', 'sources'])
const numbers: ReadonlySet<string> = new Set<PortableField>(['confidence', 'helped', 'misled'])

export function toMarkdown(portable: PortableMemory): string {
  return writeMarkdown(toFields(portable))
}

/** `content` is the text below the front matter; undefined fields are omitted. */
export function writeMarkdown({ content, ...head }: Partial<PortableFields>): string {
  const lines = Object.entries(head)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${scalarText(value)}`)
  return `${[fence, ...lines, fence].join('\n')}\n\n${content ?? ''}\n`
}

export function fromMarkdown(source: string, file: string, defaults: PortableDefaults): ParsedLine {
  const read = readMemoryMarkdown(source, file)
  if (!read.ok) return read
  const problems = portableIssues(read.fields).map(({ path, message }): JsonProblem => {
    const key = String(path[0] ?? '')
    return { file, line: read.lines.get(key) ?? 1, column: 1, path: key === '' ? '$' : key, message }
  })
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, value: fromFields(read.fields, defaults) }
}

export type MemoryMarkdownRead =
  | {
      readonly ok: true
      /** As in the file, not yet validated. */
      readonly fields: Readonly<Record<string, unknown>>
      /** The line of each field. */
      readonly lines: ReadonlyMap<string, number>
    }
  | { readonly ok: false; readonly problems: readonly JsonProblem[] }

export function readMemoryMarkdown(source: string, file: string): MemoryMarkdownRead {
  const text = normalizeEditorFormat(source)
  const lines = text.split('\n')
  const end = lines.indexOf(fence, 1)
  if (lines[0] !== fence || end === -1) {
    const missing = `expected a line "${fence}", the fields of the memory, and another line "${fence}"`
    return { ok: false, problems: [fileProblem(file, missing)] }
  }
  const head = readHead(lines.slice(1, end), file)
  if (!head.ok) return head
  const below = lines.slice(end + 1).join('\n')
  // The blank line above the text and the line end below it are part of the format.
  const content = below.replace(/^\n/, '').replace(/\n$/, '')
  const fields = { ...head.fields, content }
  return { ok: true, fields, lines: new Map([...head.lines, ['content', end + 2]]) }
}

/** Removes what editors add: a byte order mark and Windows line ends. */
function normalizeEditorFormat(source: string): string {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  return text.startsWith(`${fence}\r\n`) ? text.replaceAll('\r\n', '\n') : text
}

function readHead(head: readonly string[], file: string): MemoryMarkdownRead {
  const fields = new Map<string, unknown>()
  const lines = new Map<string, number>()
  const problems: JsonProblem[] = []
  let list: unknown[] | undefined
  for (const [index, raw] of head.entries()) {
    const line = index + 2
    const wrong = (message: string, path = '$'): void => {
      problems.push({ ...fileProblem(file, message), line, path })
    }
    const entry = raw.trimEnd()
    if (entry === '' || entry.startsWith('#')) continue
    const item = /^\s*- +(.*)$/s.exec(entry)?.[1]
    if (item !== undefined && list !== undefined) {
      list.push(readScalar(item))
      continue
    }
    const [, key = '', value = ''] = /^([A-Za-z_]+):(?: +(.*))?$/s.exec(entry) ?? []
    if (key === '') wrong('expected a name, a colon and a value')
    else if (fields.has(key)) wrong('duplicate key', key)
    // List items may follow, one per line.
    list = value === '' && lists.has(key) ? [] : undefined
    fields.set(key, list ?? readValue(key, value))
    lines.set(key, line)
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, fields: Object.fromEntries(fields), lines }
}

/** A value that is not JSON is plain text, so quotes are optional. */
function readValue(key: string, value: string): unknown {
  if (lists.has(key) && !value.startsWith('[')) return itemsIn(value)
  if (!lists.has(key) && !numbers.has(key)) return readScalar(value)
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function itemsIn(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function readScalar(value: string): string {
  if (/^'(?:[^']|'')*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'")
  if (!value.startsWith('"')) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'string' ? parsed : value
  } catch {
    return value
  }
}

/** Plain words are unquoted; everything else is JSON, which is also valid YAML. */
function scalarText(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[a-z][a-z0-9_-]*$/i.test(value) && !yamlWords.test(value)
  return isPlain ? value : visibleJson(value)
}

/** YAML parsers interpret these as something other than text. */
const yamlWords = /^(?:true|false|null|yes|no|on|off|y|n)$/i
