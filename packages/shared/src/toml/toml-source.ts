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
  const scan: TomlScan = {
    text,
    at: text.charCodeAt(0) === 0xfeff ? 1 : 0,
    entries: [],
    root: { elements: 0, children: new Map() },
  }
  let table: TomlPath = []
  while ((skip(scan, voids), scan.at < text.length)) {
    if (text[scan.at] === '[') table = readHeader(scan)
    else readAssignment(scan, table)
  }
  return scan.entries
}

/** A text, how far it has been read, and what was found so far. */
interface TomlScan {
  readonly text: string
  /** Offset of the next character. */
  at: number
  readonly entries: TomlEntry[]
  readonly root: HeaderTable
}

/** A table opened by headers so far, to resolve the index in an array of tables. */
interface HeaderTable {
  elements: number
  readonly children: Map<string, HeaderTable>
}

function readHeader(scan: TomlScan): TomlPath {
  const start = scan.at
  const isArray = scan.text[start + 1] === '['
  const bracketLength = isArray ? 2 : 1
  scan.at += bracketLength
  const path = openHeaderTable(scan.root, readKey(scan), isArray)
  scan.at += bracketLength
  addEntry(scan, { kind: 'header', path, home: path, start }).valueEnd = scan.at
  return path
}

/** The path of the table with these keys, including the index of each array of tables on the way. */
function openHeaderTable(root: HeaderTable, keys: readonly string[], isArray: boolean): TomlPath {
  const path: (string | number)[] = []
  let table = root
  for (const [depth, key] of keys.entries()) {
    path.push(key)
    table = childOf(table, key)
    if (isArray && depth === keys.length - 1) {
      table.elements++
      table.children.clear()
    }
    if (table.elements > 0) path.push(table.elements - 1)
  }
  return path
}

function childOf({ children }: HeaderTable, key: string): HeaderTable {
  const child = children.get(key) ?? { elements: 0, children: new Map() }
  children.set(key, child)
  return child
}

function readAssignment(scan: TomlScan, home: TomlPath): void {
  const start = scan.at
  const path = [...home, ...readKey(scan)]
  scan.at++
  skip(scan, blanks)
  const entry = addEntry(scan, { kind: 'value', path, home, start })
  readValue(scan, path)
  entry.valueEnd = scan.at
}

function readKey(scan: TomlScan): string[] {
  const parts: string[] = []
  do {
    skip(scan, blanks)
    const part = take(scan, keyPart)
    parts.push(/^["']/.test(part) ? (parse(`key = ${part}`).key as string) : part)
    skip(scan, blanks)
  } while (scan.text[scan.at] === '.' && ++scan.at)
  return parts
}

function readValue(scan: TomlScan, path: TomlPath): void {
  const first = scan.text[scan.at]
  if (first === '[') readArray(scan, path)
  else if (first === '{') readInlineTable(scan, path)
  else take(scan, first === '"' || first === "'" ? quoted : bare)
}

function readArray(scan: TomlScan, home: TomlPath): void {
  scan.at++
  for (let index = 0; skip(scan, voids), scan.text[scan.at] !== ']'; index++) {
    const path = [...home, index]
    const entry = addEntry(scan, { kind: 'element', path, home, start: scan.at })
    readValue(scan, path)
    entry.valueEnd = scan.at
    skip(scan, voids)
    if (scan.text[scan.at] === ',') scan.at++
  }
  scan.at++
}

function readInlineTable(scan: TomlScan, path: TomlPath): void {
  scan.at++
  while ((skip(scan, voids), scan.text[scan.at] !== '}')) {
    readAssignment(scan, path)
    skip(scan, voids)
    if (scan.text[scan.at] === ',') scan.at++
  }
  scan.at++
}

/** Adds an entry whose value starts here; the caller sets `valueEnd` after reading the value. */
function addEntry(
  { entries, at }: TomlScan,
  entry: Omit<TomlEntry, 'valueStart' | 'valueEnd'>,
): { valueEnd: number } {
  const added = { ...entry, valueStart: at, valueEnd: at }
  entries.push(added)
  return added
}

function skip(scan: TomlScan, pattern: RegExp): void {
  pattern.lastIndex = scan.at
  scan.at += pattern.exec(scan.text)?.[0].length ?? 0
}

function take(scan: TomlScan, pattern: RegExp): string {
  const start = scan.at
  skip(scan, pattern)
  if (scan.at === start) throw new Error(`Not TOML at offset ${start}`)
  return scan.text.slice(start, scan.at)
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
