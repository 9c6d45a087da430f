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

function readDocument(
  text: string,
  { comments = false, duplicates = false, deep = false }: JsonLeniency,
): ReadDocument {
  if (text.length > maxJsonLength) throw new Fault(`the text is longer than ${maxJsonLength} characters`, 0)
  let at = 0
  const voided: KeyAt[] = []

  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isMatch = pattern.test(text)
    at = isMatch ? pattern.lastIndex : at
    return isMatch
  }
  const skipBlanks = (): void => {
    do skip(blanks)
    while (comments && skip(comment))
  }
  const expected = (what: string): Fault => new Fault(`expected ${what}, found ${shown(text, at)}`, at)

  const readValue = (depth: number): SourceNode => {
    const start = at
    if (deep && depth >= maxJsonDepth && (text[at] === '{' || text[at] === '[')) return skipNested()
    if (text[at] === '{') return readObject(depth)
    if (text[at] === '[') return readArray(depth)
    return text[at] === '"' ? { value: readString(), start, end: at } : readScalar()
  }

  const skipNested = (): SourceNode => {
    const start = at
    let open = 0
    do {
      if (text[at] === '"') readString()
      else {
        if (text[at] === '{' || text[at] === '[') open++
        if (text[at] === '}' || text[at] === ']') open--
        at++
      }
    } while (open > 0 && at < text.length)
    try {
      // Validates the skipped text without recursion, since an error in it invalidates the whole file.
      JSON.parse(text.slice(start, at))
    } catch {
      throw new Fault('a syntax error in a deeply nested value', start)
    }
    return { value: null, start, end: at }
  }

  const enter = (depth: number): void => {
    if (depth >= maxJsonDepth) throw new Fault(`nested deeper than ${maxJsonDepth} levels`, at)
    at++
    skipBlanks()
  }

  const readObject = (depth: number): SourceNode => {
    const start = at
    const children = new Map<string, SourceNode>()
    enter(depth)
    while (text[at] !== '}') {
      if (children.size > 0) {
        if (text[at] !== ',') throw expected('"," or "}"')
        at++
        skipBlanks()
        if (comments && text[at] === '}') break
      }
      const keyStart = at
      if (text[at] !== '"') throw expected(children.size > 0 ? 'a key' : 'a key or "}"')
      const key = readString()
      const previous = children.get(key)
      if (previous !== undefined) {
        if (!duplicates) throw new Fault(`the key ${JSON.stringify(key)} is given twice`, keyStart)
        voided.push({ key, offset: previous.keyStart ?? previous.start })
      }
      skipBlanks()
      if (text[at] !== ':') throw expected('":"')
      at++
      skipBlanks()
      children.set(key, { ...readValue(depth + 1), keyStart })
      skipBlanks()
    }
    at++
    // fromEntries defines properties, so a key named __proto__ stays data.
    const value = Object.fromEntries(Array.from(children, ([key, child]) => [key, child.value]))
    return { value, start, end: at, children }
  }

  const readArray = (depth: number): SourceNode => {
    const start = at
    const children = new Map<number, SourceNode>()
    enter(depth)
    while (text[at] !== ']') {
      if (children.size > 0) {
        if (text[at] !== ',') throw expected('"," or "]"')
        at++
        skipBlanks()
        if (comments && text[at] === ']') break
      }
      children.set(children.size, readValue(depth + 1))
      skipBlanks()
    }
    at++
    return { value: Array.from(children.values(), (child) => child.value), start, end: at, children }
  }

  const readString = (): string => {
    const start = at
    let escaped = false
    at++
    for (;;) {
      plain.lastIndex = at
      plain.test(text)
      at = plain.lastIndex
      if (text[at] === '"') break
      if (text[at] !== '\\')
        throw expected(at < text.length ? 'an escaped control character' : 'the closing quote')
      escape.lastIndex = at
      if (!escape.test(text)) throw new Fault('unknown escape in a string', at)
      at = escape.lastIndex
      escaped = true
    }
    at++
    return escaped ? (JSON.parse(text.slice(start, at)) as string) : text.slice(start + 1, at - 1)
  }

  const readScalar = (): SourceNode => {
    const start = at
    scalar.lastIndex = at
    const literal = scalar.exec(text)?.[0]
    if (literal === undefined) throw expected('a value')
    at += literal.length
    return { value: JSON.parse(literal) as Json, start, end: at }
  }

  skipBlanks()
  const root = readValue(0)
  skipBlanks()
  if (at < text.length) throw expected('the end of the text')
  return { root, voided }
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
