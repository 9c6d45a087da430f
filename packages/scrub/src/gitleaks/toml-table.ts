/**
 * Reads tables of a TOML document key by key. Problems are recorded with their line and reading continues, so that all
 * of them are reported at once. Keys are case-insensitive, as in gitleaks.
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
  /** Empty if the key is missing or has another type. */
  text(key: string): string
  number(key: string): number | undefined
  /** A non-negative integer. */
  count(key: string): number | undefined
  flag(key: string): boolean
  texts(key: string): readonly string[]
  /** Undefined for an empty string too. */
  pattern(key: string): Re2Pattern | undefined
  /** None may be empty, because that would match every text. */
  patterns(key: string): readonly Re2Pattern[]
  table(key: string, shape: TableShape): GitleaksTable | undefined
  tables(key: string, shape: TableShape): readonly GitleaksTable[]
}

export interface TableShape {
  readonly keys: readonly string[]
  /** A prefix for messages, made from the values of the table. */
  readonly nameOf?: (read: (key: string) => unknown) => string
}

/** Undefined if the text is not TOML; the notes contain the reason. */
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

interface Scope {
  readonly file: string
  readonly lineOf: (path: TomlPath) => number
  readonly notes: Notes
}

function openTable(
  scope: Scope,
  path: TomlPath,
  tomlTable: TomlTable,
  shape: TableShape,
  parent: string,
): GitleaksTable {
  const { file, lineOf, notes } = scope
  const entries = new Map<string, { readonly key: string; readonly value: unknown }>()
  const duplicates: [string, string][] = []
  for (const [key, value] of Object.entries(tomlTable)) {
    const existing = entries.get(key.toLowerCase())
    if (existing === undefined) entries.set(key.toLowerCase(), { key, value })
    else duplicates.push([existing.key, key])
  }
  const read = (key: string): unknown => entries.get(key.toLowerCase())?.value
  const name = shape.nameOf?.(read) ?? parent
  const inName = (message: string): string => (name === '' ? message : `${name}: ${message}`)

  const place = (key?: string, index?: number): ConfigPlace => {
    const exactKey = key === undefined ? [] : [entries.get(key.toLowerCase())?.key ?? key]
    return { file, line: lineOf([...path, ...exactKey, ...(index === undefined ? [] : [index])]) }
  }
  const fail = (message: string, key?: string, index?: number): void => {
    notes.problems.push({ ...place(key, index), message: inName(message) })
  }
  const warn = (message: string, key?: string, index?: number): void => {
    notes.warnings.push({ ...place(key, index), message: inName(message) })
  }

  for (const [first, second] of duplicates) {
    const line = lineOf([...path, second])
    notes.problems.push({ file, line, message: inName(`${second} is a duplicate of ${first}`) })
  }
  for (const { key } of entries.values()) {
    if (shape.keys.some((known) => known.toLowerCase() === key.toLowerCase())) continue
    const similar = nearest(key, shape.keys)
    warn(`unknown key ${key} is ignored${similar === undefined ? '' : `; did you mean ${similar}?`}`, key)
  }

  /** The value if it has the expected type; otherwise undefined, with a problem recorded unless it is missing. */
  const expect = <T>(key: string, expected: string, isIt: (value: unknown) => value is T): T | undefined => {
    const value = read(key)
    if (value === undefined || isIt(value)) return value
    fail(`${key} must be ${expected}, but is ${kindOf(value)}`, key)
    return undefined
  }
  const texts = (key: string): (readonly [text: string, index: number])[] =>
    (expect(key, 'a list of strings', Array.isArray) ?? []).flatMap((value: unknown, index) => {
      if (isText(value)) return [[value, index] as const]
      fail(`${key} must contain only strings, but contains ${kindOf(value)}`, key, index)
      return []
    })
  const compile = (source: string, key: string, index?: number): Re2Pattern[] => {
    try {
      return [compilePattern(source)]
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      fail(`${key} is not a valid RE2 pattern: ${error.message}`, key, index)
      return []
    }
  }
  const header = (key: string): string => [...path.filter(isText), key].join('.')
  const open = (key: string, inner: TomlTable, innerShape: TableShape, index?: number): GitleaksTable => {
    const exactKey = entries.get(key.toLowerCase())?.key ?? key
    const innerPath = [...path, exactKey, ...(index === undefined ? [] : [index])]
    return openTable(scope, innerPath, inner, innerShape, name)
  }

  return {
    place,
    fail,
    warn,
    isGiven: (key) => (read(key) ?? '') !== '',
    size: (key) => {
      const value = read(key)
      return Array.isArray(value) ? value.length : 0
    },
    text: (key) => expect(key, 'a string', isText) ?? '',
    number: (key) => expect(key, 'a number', isFinite),
    count: (key) => expect(key, 'a non-negative integer', isCount),
    flag: (key) => expect(key, 'true or false', isFlag) ?? false,
    texts: (key) => texts(key).map(([text]) => text),
    pattern: (key) => {
      const source = expect(key, 'a string', isText) ?? ''
      return source === '' ? undefined : compile(source, key)[0]
    },
    patterns: (key) =>
      texts(key).flatMap(([source, index]) => {
        if (source !== '') return compile(source, key, index)
        fail(`${key} contains an empty pattern, which matches everything`, key, index)
        return []
      }),
    table: (key, innerShape) => {
      const value = expect(key, `one table, written [${header(key)}]`, isTable)
      return value && open(key, value, innerShape)
    },
    tables: (key, innerShape) =>
      (expect(key, `a list of tables, each written [[${header(key)}]]`, Array.isArray) ?? []).flatMap(
        (value: unknown, index) => {
          if (isTable(value)) return [open(key, value, innerShape, index)]
          fail(`${key} must contain only tables, but contains ${kindOf(value)}`, key, index)
          return []
        },
      ),
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

/** The line of the value at a path, or of the table that contains it. */
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
    // An implicit table has no line of its own; it gets that of its first key.
    for (let depth = path.length; depth > 0; depth--) {
      const id = JSON.stringify(path.slice(0, depth))
      if (lines.has(id)) break
      lines.set(id, line)
    }
  }
  return lines
}
