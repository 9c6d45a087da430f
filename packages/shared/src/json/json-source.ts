/**
 * Parses JSON and keeps the position of each part. Stricter than `JSON.parse` in two ways that matter for files that
 * grant permissions: a duplicate key is an error, not "the last one wins", and depth and length are bounded, so that no
 * input can exhaust the stack.
 */

import type { Json } from './value.ts'
import { indexLines, type Position } from './text-position.ts'

/** Keys and array indexes from the root. */
export type JsonPath = readonly (string | number)[]

export interface JsonDocument {
  readonly ok: true
  readonly value: Json
  readonly root: SourceNode
  /** The position of the value at `path`, or of its key; undefined if the path does not exist. */
  readonly locate: (path: JsonPath, part?: 'value' | 'key') => Position | undefined
  /** Keys that a later duplicate overrides; empty unless duplicates are allowed. */
  readonly voided: readonly VoidKey[]
}

export interface VoidKey extends Position {
  readonly key: string
}

export interface JsonFault extends Position {
  readonly ok: false
  readonly message: string
}

export const maxJsonDepth = 64
export const maxJsonLength = 4_000_000

/** Offsets of a value and its children, not counting a byte order mark. */
export interface SourceNode {
  readonly value: Json
  readonly start: number
  readonly end: number
  readonly keyStart?: number
  readonly children?: ReadonlyMap<string | number, SourceNode>
}

export interface JsonLeniency {
  /** Allows comments and trailing commas, as editors do. */
  readonly comments?: boolean
  /** The last of duplicate keys wins, as in `JSON.parse`: for files of programs that parse them that way. */
  readonly duplicates?: boolean
  /** Values nested too deep become null instead of an error, since no setting is nested that deep. */
  readonly deep?: boolean
}

export function parseJson(source: string, leniency: JsonLeniency = {}): JsonDocument | JsonFault {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  const positionAt = indexLines(text)
  try {
    const { root, voided } = readDocument(text, leniency)
    return {
      ok: true,
      value: root.value,
      root,
      voided: voided.map((one) => placed(one, positionAt)),
      locate(path, part = 'value') {
        let node: SourceNode | undefined = root
        for (const step of path) node = node?.children?.get(step)
        return node && positionAt(part === 'key' ? (node.keyStart ?? node.start) : node.start)
      },
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, message: error.message, ...positionAt(error.offset) }
  }
}

/** Aborts the recursion on a fault; never leaves this file. */
class Fault extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

interface ReadDocument {
  readonly root: SourceNode
  readonly voided: readonly KeyAt[]
}

interface KeyAt {
  readonly key: string
  readonly offset: number
}

function placed({ key, offset }: KeyAt, positionAt: (offset: number) => Position): VoidKey {
  return { key, ...positionAt(offset) }
}

/** A text and how far it has been read. */
interface JsonReader {
  readonly text: string
  readonly leniency: JsonLeniency
  /** Offset of the next character. */
  at: number
  readonly voided: KeyAt[]
}

function readDocument(text: string, leniency: JsonLeniency): ReadDocument {
  if (text.length > maxJsonLength) throw new Fault(`the text is longer than ${maxJsonLength} characters`, 0)
  const reader: JsonReader = { text, leniency, at: 0, voided: [] }
  skipBlanks(reader)
  const root = readValue(reader, 0)
  skipBlanks(reader)
  if (reader.at < text.length) throw expected(reader, 'the end of the text')
  return { root, voided: reader.voided }
}

function readValue(reader: JsonReader, depth: number): SourceNode {
  const start = reader.at
  const first = reader.text[start]
  const isContainer = first === '{' || first === '['
  if (isContainer && reader.leniency.deep && depth >= maxJsonDepth) return skipNested(reader)
  if (first === '{') return readObject(reader, depth)
  if (first === '[') return readArray(reader, depth)
  return first === '"' ? { value: readString(reader), start, end: reader.at } : readScalar(reader)
}

function skipNested(reader: JsonReader): SourceNode {
  const { text, at: start } = reader
  let open = 0
  do {
    const character = text[reader.at]
    if (character === '"') readString(reader)
    else {
      if (character === '{' || character === '[') open++
      if (character === '}' || character === ']') open--
      reader.at++
    }
  } while (open > 0 && reader.at < text.length)
  try {
    // Validates the skipped text without recursion, since an error in it invalidates the whole file.
    JSON.parse(text.slice(start, reader.at))
  } catch {
    throw new Fault('a syntax error in a deeply nested value', start)
  }
  return { value: null, start, end: reader.at }
}

function readObject(reader: JsonReader, depth: number): SourceNode {
  const start = reader.at
  const children = new Map<string, SourceNode>()
  enterContainer(reader, depth)
  while (hasNext(reader, '}', children.size === 0)) {
    const keyStart = reader.at
    const key = readKey(reader, children)
    children.set(key, { ...readValue(reader, depth + 1), keyStart })
    skipBlanks(reader)
  }
  reader.at++
  // fromEntries defines properties, so a key named __proto__ stays data.
  const value = Object.fromEntries(Array.from(children, ([key, child]) => [key, child.value]))
  return { value, start, end: reader.at, children }
}

function readArray(reader: JsonReader, depth: number): SourceNode {
  const start = reader.at
  const children = new Map<number, SourceNode>()
  enterContainer(reader, depth)
  while (hasNext(reader, ']', children.size === 0)) {
    children.set(children.size, readValue(reader, depth + 1))
    skipBlanks(reader)
  }
  reader.at++
  return { value: Array.from(children.values(), (child) => child.value), start, end: reader.at, children }
}

function enterContainer(reader: JsonReader, depth: number): void {
  if (depth >= maxJsonDepth) throw new Fault(`nested deeper than ${maxJsonDepth} levels`, reader.at)
  reader.at++
  skipBlanks(reader)
}

/** Whether the container has another element; skips the comma before it. */
function hasNext(reader: JsonReader, close: '}' | ']', isFirst: boolean): boolean {
  const { text, leniency } = reader
  if (text[reader.at] === close) return false
  if (isFirst) return true
  if (text[reader.at] !== ',') throw expected(reader, `"," or "${close}"`)
  reader.at++
  skipBlanks(reader)
  return !leniency.comments || text[reader.at] !== close
}

/** Reads a key and its colon. `siblings` are the keys before it. */
function readKey(reader: JsonReader, siblings: ReadonlyMap<string, SourceNode>): string {
  const { text, leniency, at: start } = reader
  if (text[start] !== '"') throw expected(reader, siblings.size > 0 ? 'a key' : 'a key or "}"')
  const key = readString(reader)
  const previous = siblings.get(key)
  if (previous !== undefined) {
    if (!leniency.duplicates) throw new Fault(`the key ${JSON.stringify(key)} is given twice`, start)
    reader.voided.push({ key, offset: previous.keyStart ?? previous.start })
  }
  skipBlanks(reader)
  if (text[reader.at] !== ':') throw expected(reader, '":"')
  reader.at++
  skipBlanks(reader)
  return key
}

function readString(reader: JsonReader): string {
  const { text, at: start } = reader
  let isEscaped = false
  reader.at++
  for (;;) {
    skip(reader, plain)
    if (text[reader.at] === '"') break
    if (text[reader.at] !== '\\')
      throw expected(reader, reader.at < text.length ? 'an escaped control character' : 'the closing quote')
    if (!skip(reader, escape)) throw new Fault('unknown escape in a string', reader.at)
    isEscaped = true
  }
  reader.at++
  const { at: end } = reader
  return isEscaped ? (JSON.parse(text.slice(start, end)) as string) : text.slice(start + 1, end - 1)
}

function readScalar(reader: JsonReader): SourceNode {
  const { text, at: start } = reader
  if (!skip(reader, scalar)) throw expected(reader, 'a value')
  return { value: JSON.parse(text.slice(start, reader.at)) as Json, start, end: reader.at }
}

function skipBlanks(reader: JsonReader): void {
  do skip(reader, blanks)
  while (reader.leniency.comments && skip(reader, comment))
}

function skip(reader: JsonReader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at
  const isMatch = pattern.test(reader.text)
  if (isMatch) reader.at = pattern.lastIndex
  return isMatch
}

function expected({ text, at }: JsonReader, what: string): Fault {
  return new Fault(`expected ${what}, found ${shown(text, at)}`, at)
}

const blanks = /[ \t\r\n]*/y
const comment = /\/\/[^\n]*|\/\*[^]*?\*\//y
/** Everything but quotes, backslashes and control characters. */
const plain = /[ !#-[\]-\uffff]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function shown(text: string, at: number): string {
  if (at >= text.length) return 'the end of the text'
  const word = /^\w{1,20}/.exec(text.slice(at, at + 20))?.[0]
  return JSON.stringify(word ?? String.fromCodePoint(text.codePointAt(at) ?? 0))
}
