/**
 * Reads tables of a TOML document key by key. Problems are recorded with their line and reading continues, so that all
 * problems of a file are reported at once. Keys are case-insensitive, as in gitleaks.
 */

import { parse, TomlError, type TomlTable } from 'smol-toml'

import { scanToml, type TomlPath } from '@contextd/shared/toml/toml-source'
import { nearest } from '@contextd/shared/text/nearest'
import type { ConfigPlace, ConfigProblem } from './gitleaks-config.ts'
import { compilePattern, PatternError, type Re2Pattern } from './re2.ts'

export interface Notes {
  readonly problems: ConfigProblem[]
  readonly warnings: ConfigProblem[]
}

export interface GitleaksTable {
  place(key?: string, index?: number): ConfigPlace
  fail(message: string, key?: string, index?: number): void
  warn(message: string, key?: string, index?: number): void
  /** Whether the key has a value, valid or not, other than an empty string. */
  isGiven(key: string): boolean
  /** Number of elements of the list, valid or not. */
  size(key: string): number
  /** Empty if the key is missing or its value has another type. */
  text(key: string): string
  number(key: string): number | undefined
  /** A non-negative integer. */
  count(key: string): number | undefined
  flag(key: string): boolean
  texts(key: string): readonly string[]
  /** Undefined for an empty string too. */
  pattern(key: string): Re2Pattern | undefined
  /** An empty pattern is a problem: it would match every text. */
  patterns(key: string): readonly Re2Pattern[]
  table(key: string, shape: TableShape): GitleaksTable | undefined
  tables(key: string, shape: TableShape): readonly GitleaksTable[]
}

export interface TableShape {
  readonly keys: readonly string[]
  /** The start of messages about the table, derived from its values. */
  readonly nameOf?: (read: (key: string) => unknown) => string
}

/** Undefined if the text is not valid TOML; the notes contain the reason. */
export function openDocument(
  text: string,
  file: string,
  shape: TableShape,
  notes: Notes,
): GitleaksTable | undefined {
  const source = text.replace(/^\uFEFF/, '')
  let root: TomlTable
  try {
    root = parse(source, { maxDepth: 16, unsafeKeyBehaviour: 'throw' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The rest of the parser's message quotes the file.
    const message = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '') ?? 'is not TOML'
    notes.problems.push({ file, line: error.line, message })
    return undefined
  }
  return openTable({ file, lineOf: indexLines(source), notes }, [], root, shape, '')
}

interface DocumentContext {
  readonly file: string
  readonly lineOf: (path: TomlPath) => number
  readonly notes: Notes
}

/** A table as it is written. */
interface WrittenTable {
  readonly document: DocumentContext
  readonly path: TomlPath
  /** By lower-case key. */
  readonly entries: ReadonlyMap<string, WrittenEntry>
  /** The start of messages about this table; may be empty. */
  readonly name: string
}

interface WrittenEntry {
  readonly key: string
  readonly value: unknown
}

function openTable(
  document: DocumentContext,
  path: TomlPath,
  content: TomlTable,
  shape: TableShape,
  parentName: string,
): GitleaksTable {
  const entries = new Map<string, WrittenEntry>()
  const duplicates: [first: string, second: string][] = []
  for (const [key, value] of Object.entries(content)) {
    const first = entries.get(key.toLowerCase())
    if (first === undefined) entries.set(key.toLowerCase(), { key, value })
    else duplicates.push([first.key, key])
  }
  const name = shape.nameOf?.((key) => entries.get(key.toLowerCase())?.value) ?? parentName
  const table: WrittenTable = { document, path, entries, name }
  reportDuplicates(table, duplicates)
  reportUnknownKeys(table, shape.keys)
  return readerOf(table)
}

function reportDuplicates(
  { document: { file, lineOf, notes }, path, name }: WrittenTable,
  duplicates: readonly (readonly [first: string, second: string])[],
): void {
  for (const [first, second] of duplicates) {
    const line = lineOf([...path, second])
    const message = withName(name, `${second} is a duplicate of ${first}`)
    notes.problems.push({ file, line, message })
  }
}

function reportUnknownKeys(table: WrittenTable, keys: readonly string[]): void {
  for (const { key } of table.entries.values()) {
    if (keys.some((known) => known.toLowerCase() === key.toLowerCase())) continue
    const similar = nearest(key, keys)
    warn(
      table,
      `unknown key ${key} is ignored${similar === undefined ? '' : `; did you mean ${similar}?`}`,
      key,
    )
  }
}

function readerOf(table: WrittenTable): GitleaksTable {
  return {
    place: (key, index) => placeOf(table, key, index),
    fail: (message, key, index) => fail(table, message, key, index),
    warn: (message, key, index) => warn(table, message, key, index),
    isGiven: (key) => (valueOf(table, key) ?? '') !== '',
    size: (key) => {
      const value = valueOf(table, key)
      return Array.isArray(value) ? value.length : 0
    },
    text: (key) => expect(table, key, 'a string', isText) ?? '',
    number: (key) => expect(table, key, 'a number', isFinite),
    count: (key) => expect(table, key, 'a non-negative integer', isCount),
    flag: (key) => expect(table, key, 'true or false', isFlag) ?? false,
    texts: (key) => textsOf(table, key).map(([text]) => text),
    pattern: (key) => {
      const source = expect(table, key, 'a string', isText) ?? ''
      return source === '' ? undefined : compile(table, source, key)[0]
    },
    patterns: (key) =>
      textsOf(table, key).flatMap(([source, index]) => {
        if (source !== '') return compile(table, source, key, index)
        fail(table, `${key} contains an empty pattern, which matches everything`, key, index)
        return []
      }),
    table: (key, shape) => {
      const value = expect(table, key, `one table, written [${headerOf(table, key)}]`, isTable)
      return value && openInner(table, [writtenKey(table, key)], value, shape)
    },
    tables: (key, shape) => {
      const expected = `a list of tables, each written [[${headerOf(table, key)}]]`
      return (expect(table, key, expected, Array.isArray) ?? []).flatMap((value: unknown, index) => {
        if (isTable(value)) return [openInner(table, [writtenKey(table, key), index], value, shape)]
        fail(table, `${key} must contain only tables, but contains ${kindOf(value)}`, key, index)
        return []
      })
    },
  }
}

function openInner(
  { document, path, name }: WrittenTable,
  innerPath: TomlPath,
  content: TomlTable,
  shape: TableShape,
): GitleaksTable {
  return openTable(document, [...path, ...innerPath], content, shape, name)
}

function valueOf({ entries }: WrittenTable, key: string): unknown {
  return entries.get(key.toLowerCase())?.value
}

function writtenKey({ entries }: WrittenTable, key: string): string {
  return entries.get(key.toLowerCase())?.key ?? key
}

function headerOf({ path }: WrittenTable, key: string): string {
  return [...path.filter(isText), key].join('.')
}

function placeOf(table: WrittenTable, key?: string, index?: number): ConfigPlace {
  const { document, path } = table
  const inner = key === undefined ? [] : [writtenKey(table, key)]
  return {
    file: document.file,
    line: document.lineOf([...path, ...inner, ...(index === undefined ? [] : [index])]),
  }
}

function fail(table: WrittenTable, message: string, key?: string, index?: number): void {
  const { document, name } = table
  document.notes.problems.push({ ...placeOf(table, key, index), message: withName(name, message) })
}

function warn(table: WrittenTable, message: string, key?: string, index?: number): void {
  const { document, name } = table
  document.notes.warnings.push({ ...placeOf(table, key, index), message: withName(name, message) })
}

function withName(name: string, message: string): string {
  return name === '' ? message : `${name}: ${message}`
}

/** The value if it has the expected type; otherwise undefined, with a problem unless the key is missing. */
function expect<T>(
  table: WrittenTable,
  key: string,
  expected: string,
  isExpected: (value: unknown) => value is T,
): T | undefined {
  const value = valueOf(table, key)
  if (value === undefined || isExpected(value)) return value
  fail(table, `${key} must be ${expected}, but is ${kindOf(value)}`, key)
  return undefined
}

function textsOf(table: WrittenTable, key: string): (readonly [text: string, index: number])[] {
  return (expect(table, key, 'a list of strings', Array.isArray) ?? []).flatMap((value: unknown, index) => {
    if (isText(value)) return [[value, index] as const]
    fail(table, `${key} must contain only strings, but contains ${kindOf(value)}`, key, index)
    return []
  })
}

function compile(table: WrittenTable, source: string, key: string, index?: number): Re2Pattern[] {
  try {
    return [compilePattern(source)]
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    fail(table, `${key} is not a valid RE2 pattern: ${error.message}`, key, index)
    return []
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isFinite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Date) return 'a date'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? 'a string' : 'a table'
}

/** Finds the line of a path, or of the nearest table or list around it. */
function indexLines(source: string): (path: TomlPath) => number {
  let lines: Map<string, number> | undefined
  return (path) => {
    lines ??= readLines(source)
    for (let depth = path.length; depth > 0; depth--) {
      const line = lines.get(JSON.stringify(path.slice(0, depth)))
      if (line !== undefined) return line
    }
    return 1
  }
}

function readLines(source: string): Map<string, number> {
  const lines = new Map<string, number>()
  let line = 1
  let at = 0
  for (const { path, start } of scanToml(source)) {
    for (; at < start; at++) if (source[at] === '\n') line++
    // A table without a header has the line of its first key.
    for (let depth = path.length; depth > 0; depth--) {
      const id = JSON.stringify(path.slice(0, depth))
      if (lines.has(id)) break
      lines.set(id, line)
    }
  }
  return lines
}
