/**
 * Reads tables of a TOML document key by key. What is wrong is noted with its line, and reading goes on, so that all
 * problems of a file are known at once. Keys are found in any case of letters, as gitleaks finds them.
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
  /** Whether anything stands there, good or bad, but an empty text. */
  isGiven(key: string): boolean
  /** How many elements the list has as it is written, good or bad. */
  size(key: string): number
  /** Empty where the key is not given or holds something else. */
  text(key: string): string
  number(key: string): number | undefined
  /** A whole number from 0. */
  count(key: string): number | undefined
  flag(key: string): boolean
  texts(key: string): readonly string[]
  /** Undefined also for an empty text. */
  pattern(key: string): Re2Pattern | undefined
  /** None may be empty: it would be found in every text. */
  patterns(key: string): readonly Re2Pattern[]
  table(key: string, shape: TableShape): GitleaksTable | undefined
  tables(key: string, shape: TableShape): readonly GitleaksTable[]
}

export interface TableShape {
  readonly keys: readonly string[]
  /** What messages begin with, from the table itself. */
  readonly nameOf?: (read: (key: string) => unknown) => string
}

/** Undefined where the text is no TOML; the notes say why. */
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
  value: TomlTable,
  shape: TableShape,
  parent: string,
): GitleaksTable {
  const { file, lineOf, notes } = scope
  const entries = new Map<string, { readonly key: string; readonly value: unknown }>()
  const twins: [string, string][] = []
  for (const [key, held] of Object.entries(value)) {
    const twin = entries.get(key.toLowerCase())
    if (twin === undefined) entries.set(key.toLowerCase(), { key, value: held })
    else twins.push([twin.key, key])
  }
  const read = (key: string): unknown => entries.get(key.toLowerCase())?.value
  const name = shape.nameOf?.(read) ?? parent
  const inName = (message: string): string => (name === '' ? message : `${name}: ${message}`)

  const place = (key?: string, index?: number): ConfigPlace => {
    const written = key === undefined ? [] : [entries.get(key.toLowerCase())?.key ?? key]
    return { file, line: lineOf([...path, ...written, ...(index === undefined ? [] : [index])]) }
  }
  const fail = (message: string, key?: string, index?: number): void => {
    notes.problems.push({ ...place(key, index), message: inName(message) })
  }
  const warn = (message: string, key?: string, index?: number): void => {
    notes.warnings.push({ ...place(key, index), message: inName(message) })
  }

  for (const [first, second] of twins) {
    const line = lineOf([...path, second])
    notes.problems.push({ file, line, message: inName(`${second} is given twice, also as ${first}`) })
  }
  for (const { key } of entries.values()) {
    if (shape.keys.some((known) => known.toLowerCase() === key.toLowerCase())) continue
    const meant = nearest(key, shape.keys)
    warn(`unknown key ${key} is ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`, key)
  }

  /** The value where it is of the wanted kind; otherwise undefined, and noted unless it is missing. */
  const expect = <T>(key: string, expected: string, isIt: (held: unknown) => held is T): T | undefined => {
    const held = read(key)
    if (held === undefined || isIt(held)) return held
    fail(`${key} must be ${expected}, and is ${kindOf(held)}`, key)
    return undefined
  }
  const texts = (key: string): (readonly [text: string, index: number])[] =>
    (expect(key, 'a list of strings', Array.isArray) ?? []).flatMap((held: unknown, index) => {
      if (isText(held)) return [[held, index] as const]
      fail(`${key} must hold strings only, and holds ${kindOf(held)}`, key, index)
      return []
    })
  const compile = (source: string, key: string, index?: number): Re2Pattern[] => {
    try {
      return [compilePattern(source)]
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      fail(`${key} is no RE2 pattern: ${error.message}`, key, index)
      return []
    }
  }
  const header = (key: string): string => [...path.filter(isText), key].join('.')
  const open = (key: string, inner: TomlTable, innerShape: TableShape, index?: number): GitleaksTable => {
    const written = entries.get(key.toLowerCase())?.key ?? key
    const innerPath = [...path, written, ...(index === undefined ? [] : [index])]
    return openTable(scope, innerPath, inner, innerShape, name)
  }

  return {
    place,
    fail,
    warn,
    isGiven: (key) => (read(key) ?? '') !== '',
    size: (key) => {
      const held = read(key)
      return Array.isArray(held) ? held.length : 0
    },
    text: (key) => expect(key, 'a string', isText) ?? '',
    number: (key) => expect(key, 'a number', isFinite),
    count: (key) => expect(key, 'a whole number from 0', isCount),
    flag: (key) => expect(key, 'true or false', isFlag) ?? false,
    texts: (key) => texts(key).map(([text]) => text),
    pattern: (key) => {
      const source = expect(key, 'a string', isText) ?? ''
      return source === '' ? undefined : compile(source, key)[0]
    },
    patterns: (key) =>
      texts(key).flatMap(([source, index]) => {
        if (source !== '') return compile(source, key, index)
        fail(`${key} holds an empty pattern, which matches everything`, key, index)
        return []
      }),
    table: (key, innerShape) => {
      const held = expect(key, `one table, written [${header(key)}]`, isTable)
      return held && open(key, held, innerShape)
    },
    tables: (key, innerShape) =>
      (expect(key, `a list of tables, each written [[${header(key)}]]`, Array.isArray) ?? []).flatMap(
        (held: unknown, index) => {
          if (isTable(held)) return [open(key, held, innerShape, index)]
          fail(`${key} must hold tables only, and holds ${kindOf(held)}`, key, index)
          return []
        },
      ),
  }
}

const isText = (held: unknown): held is string => typeof held === 'string'
const isFlag = (held: unknown): held is boolean => typeof held === 'boolean'
const isFinite = (held: unknown): held is number => typeof held === 'number' && Number.isFinite(held)
const isCount = (held: unknown): held is number => Number.isSafeInteger(held) && (held as number) >= 0
const isTable = (held: unknown): held is TomlTable =>
  typeof held === 'object' && held !== null && !Array.isArray(held) && !(held instanceof Date)

function kindOf(held: unknown): string {
  if (Array.isArray(held)) return 'a list'
  if (held instanceof Date) return 'a date'
  if (typeof held === 'number' || typeof held === 'boolean') return String(held)
  return typeof held === 'string' ? 'a string' : 'a table'
}

/** The line of what stands at a path, or of what holds it. */
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
    // A table that only its content makes has no line of its own: it stands where its first key stands.
    for (let depth = path.length; depth > 0; depth--) {
      const id = JSON.stringify(path.slice(0, depth))
      if (lines.has(id)) break
      lines.set(id, line)
    }
  }
  return lines
}
