/**
 * JSON with positions: what a document says, and where in the text each part of it stands. Stricter than
 * `JSON.parse` in two ways that matter for files that grant rights: a key given twice is an error, not "the last
 * one wins", and depth and length are bounded, so that no input can exhaust the stack.
 */

import type { Json } from './value.ts'
import { indexLines, type Position } from './text-position.ts'

/** Keys and array indexes from the root. */
export type JsonPath = readonly (string | number)[]

export interface JsonDocument {
  readonly ok: true
  readonly value: Json
  readonly root: SourceNode
  /** Where the value at `path` starts (or its key); undefined where the document has no such path. */
  readonly locate: (path: JsonPath, part?: 'value' | 'key') => Position | undefined
  /** Keys that a later one of the same name makes void; none unless they are let through. */
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

/** Offsets of one value and, where it is a container, of what it holds. A byte order mark does not count. */
export interface SourceNode {
  readonly value: Json
  readonly start: number
  readonly end: number
  readonly keyStart?: number
  readonly children?: ReadonlyMap<string | number, SourceNode>
}

export interface JsonLeniency {
  /** Also a comma behind the last item, as editors allow both. */
  readonly comments?: boolean
  /** Of a key given twice the last one counts, as with `JSON.parse`: to see a file as a program does that reads it so. */
  readonly duplicates?: boolean
  /** What is nested too deep is null, for the same reason: nothing that a file decides stands so far inside. */
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

/** Carries a fault out of the recursion; never leaves this file. */
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
    const found = pattern.test(text)
    at = found ? pattern.lastIndex : at
    return found
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
      // It does not recurse, and a mistake in there makes the whole file none.
      JSON.parse(text.slice(start, at))
    } catch {
      throw new Fault('a mistake far inside', start)
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
      const before = children.get(key)
      if (before !== undefined) {
        if (!duplicates) throw new Fault(`the key ${JSON.stringify(key)} is given twice`, keyStart)
        voided.push({ key, offset: before.keyStart ?? before.start })
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
    const found = scalar.exec(text)?.[0]
    if (found === undefined) throw expected('a value')
    at += found.length
    return { value: JSON.parse(found) as Json, start, end: at }
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
