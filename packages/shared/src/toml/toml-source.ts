/**
 * Locates each key and value of a TOML document in its text, which the parser does not report but error messages and
 * edits need. Expects text that the parser has accepted, and does not validate it again.
 */

import { parse } from 'smol-toml'

/** Keys and array indexes from the root, as in the parsed document. */
export type TomlPath = readonly (string | number)[]

export interface TomlEntry {
  readonly path: TomlPath
  /** `header` for `[table]`, `value` for `key = value`, `element` for an array element. */
  readonly kind: 'header' | 'value' | 'element'
  /** The table the entry is written in: the last header above it, or the inline table around it. */
  readonly home: TomlPath
  /** First character of the key (of the bracket for a header, of the value for an element). */
  readonly start: number
  readonly valueStart: number
  /** Offset after the value, excluding comment and line break. */
  readonly valueEnd: number
}

/** Entries in text order; nested entries follow their parent. */
export function scanToml(text: string): TomlEntry[] {
  const entries: TomlEntry[] = []
  const root: Table = { elements: 0, children: new Map() }
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0

  const skip = (pattern: RegExp): void => {
    pattern.lastIndex = at
    at += pattern.exec(text)?.[0].length ?? 0
  }
  const take = (pattern: RegExp): string => {
    const start = at
    skip(pattern)
    if (at === start) throw new Error(`Not TOML at offset ${at}`)
    return text.slice(start, at)
  }

  const readKey = (): string[] => {
    const parts: string[] = []
    do {
      skip(blanks)
      const part = take(keyPart)
      parts.push(/^["']/.test(part) ? (parse(`key = ${part}`).key as string) : part)
      skip(blanks)
    } while (text[at] === '.' && ++at)
    return parts
  }

  const readValue = (path: TomlPath): void => {
    const first = text[at]
    if (first === '[') readArray(path)
    else if (first === '{') readInlineTable(path)
    else take(first === '"' || first === "'" ? quoted : bare)
  }

  const readArray = (path: TomlPath): void => {
    at++
    for (let index = 0; skip(voids), text[at] !== ']'; index++) {
      const entry = addEntry({ kind: 'element', path: [...path, index], home: path, start: at })
      readValue(entry.path)
      entry.valueEnd = at
      skip(voids)
      if (text[at] === ',') at++
    }
    at++
  }

  const readInlineTable = (path: TomlPath): void => {
    at++
    while ((skip(voids), text[at] !== '}')) {
      readAssignment(path)
      skip(voids)
      if (text[at] === ',') at++
    }
    at++
  }

  const readAssignment = (home: TomlPath): void => {
    const start = at
    const path = [...home, ...readKey()]
    at++
    skip(blanks)
    const entry = addEntry({ kind: 'value', path, home, start })
    readValue(path)
    entry.valueEnd = at
  }

  const readHeader = (): TomlPath => {
    const start = at
    const isArray = text[at + 1] === '['
    at += isArray ? 2 : 1
    const path: (string | number)[] = []
    let table = root
    const keys = readKey()
    for (const [depth, key] of keys.entries()) {
      path.push(key)
      table = childOf(table, key)
      if (isArray && depth === keys.length - 1) {
        table.elements++
        table.children.clear()
      }
      if (table.elements > 0) path.push(table.elements - 1)
    }
    at += isArray ? 2 : 1
    addEntry({ kind: 'header', path, home: path, start }).valueEnd = at
    return path
  }

  const addEntry = (
    entry: Omit<TomlEntry, 'valueStart' | 'valueEnd'>,
  ): { valueEnd: number; path: TomlPath } => {
    const added = { ...entry, valueStart: at, valueEnd: at }
    entries.push(added)
    return added
  }

  let table: TomlPath = []
  while ((skip(voids), at < text.length)) {
    if (text[at] === '[') table = readHeader()
    else readAssignment(table)
  }
  return entries
}

/** Tables opened by headers so far, to resolve the index in an array of tables. */
interface Table {
  elements: number
  readonly children: Map<string, Table>
}

function childOf({ children }: Table, key: string): Table {
  const child = children.get(key) ?? { elements: 0, children: new Map() }
  children.set(key, child)
  return child
}

const blanks = /[ \t]*/y
/** White space, line breaks and comments. */
const voids = /(?:[ \t\r\n]+|#[^\n]*)*/y
const keyPart = /"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*'|[A-Za-z0-9_-]+/y
/** A multi-line string may end with up to two quotes as content, hence three to five. */
const quoted =
  /"""[^"\\]*(?:(?:\\[^]|"{1,2}(?!"))[^"\\]*)*"{3,5}|'''[^']*(?:'{1,2}(?!')[^']*)*'{3,5}|"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*'/y
/** Numbers, dates and booleans; a date may contain one space before the time. */
const bare = /[^\s,\]}#]+(?: \d[^\s,\]}#]*)?/y
