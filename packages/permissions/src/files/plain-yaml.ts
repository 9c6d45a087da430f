/**
 * A fast parser for the simple YAML subset typical of agents: single-line values, nested lists and mappings, decided line
 * by line. With many files, the full YAML parser would dominate the run time.
 */

import type { Json, JsonObject } from '@contextd/shared/json/value'

/** Start and end offsets. */
export type YamlRange = readonly [number, number]

export interface PlainNode {
  readonly value: Json
  readonly range: YamlRange
  readonly key?: YamlRange
  readonly children?: ReadonlyMap<string | number, PlainNode>
}

/** Undefined for anything else: comments, multi-line strings, escapes, aliases, duplicate keys and invalid YAML. */
export function readPlainYaml(yaml: string): PlainNode | undefined {
  const lines = linesOf(yaml)
  if (lines === undefined) return undefined
  if (lines.length === 0) return { value: {}, range: [0, 0], children: new Map() }
  const read = readBlock(lines, 0)
  return read === undefined || read.next < lines.length || Array.isArray(read.node.value)
    ? undefined
    : read.node
}

interface Line {
  readonly indent: number
  /** Offset of `text`. */
  readonly start: number
  readonly text: string
}

function linesOf(yaml: string): Line[] | undefined {
  const lines: Line[] = []
  let at = 0
  for (const line of yaml.split('\n')) {
    const start = at
    at += line.length + 1
    if (line === '' || line === '\r') continue
    const indent = /^ */.exec(line)![0].length
    const text = trimmedEnd(line.slice(indent))
    // Rejects lines of spaces too, which may belong to a multi-line string.
    if (!/^(?:[A-Za-z]|- )/.test(text)) return undefined
    lines.push({ indent, start: start + indent, text })
  }
  return lines
}

/** Trims trailing whitespace with a greedy match, which stays linear even on a line of spaces. */
function trimmedEnd(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return /^[^]*[^ \t]/.exec(text)?.[0] ?? ''
}

/** `next`: the first line after the node. */
type Read = { readonly node: PlainNode; readonly next: number } | undefined

function readBlock(lines: Line[], at: number): Read {
  return lines[at]!.text.startsWith('- ') ? readList(lines, at) : readNames(lines, at)
}

function readList(lines: Line[], from: number): Read {
  const { indent, start } = lines[from]!
  const children = new Map<number, PlainNode>()
  let next = from
  let end = start
  for (let line = lines[next]; line !== undefined && line.indent === indent; line = lines[next]) {
    if (!line.text.startsWith('- ')) break
    const skip = /^- +/.exec(line.text)![0].length
    const inner = { indent: indent + skip, start: line.start + skip, text: line.text.slice(skip) }
    const scalar = readScalar(inner.text, inner.start)
    // The text after the dash is the first line of the item.
    if (scalar === undefined) lines[next] = inner
    const read = scalar === undefined ? readItem(lines, next) : { node: scalar, next: next + 1 }
    if (read === undefined || (lines[read.next]?.indent ?? 0) > indent) return undefined
    children.set(children.size, read.node)
    end = read.node.range[1]
    next = read.next
  }
  const value = Array.from(children.values(), (child) => child.value)
  return { node: { value, range: [start, end], children }, next }
}

/** Lists in lists are left to the full parser. */
function readItem(lines: Line[], at: number): Read {
  return lines[at]!.text.startsWith('- ') ? undefined : readNames(lines, at)
}

const nameLine = /^([A-Za-z][\w-]*):(?:[ \t]+(?![ \t])(.*))?$/

function readNames(lines: Line[], from: number): Read {
  const { indent, start } = lines[from]!
  const children = new Map<string, PlainNode>()
  let next = from
  let end = start
  for (let line = lines[next]; line !== undefined && line.indent === indent; line = lines[next]) {
    const [, name, text] = nameLine.exec(line.text) ?? []
    if (name === undefined || reservedWords.test(name) || children.has(name)) return undefined
    const read = readNamed(lines, next, text)
    if (read === undefined || (lines[read.next]?.indent ?? 0) > indent) return undefined
    children.set(name, { ...read.node, key: [line.start, line.start + name.length] })
    end = read.node.range[1]
    next = read.next
  }
  const value: JsonObject = Object.fromEntries(Array.from(children, ([name, child]) => [name, child.value]))
  return { node: { value, range: [start, end], children }, next }
}

function readNamed(lines: Line[], at: number, text: string | undefined): Read {
  const line = lines[at]!
  if (text !== undefined) {
    const node = readScalar(text, line.start + line.text.length - text.length)
    return node && { node, next: at + 1 }
  }
  const below = lines[at + 1]
  const isBelow =
    below !== undefined &&
    (below.indent > line.indent || (below.indent === line.indent && below.text.startsWith('- ')))
  return isBelow ? readBlock(lines, at + 1) : undefined
}

/** A string that starts with a letter or is a path, without characters special to YAML. */
const plainText = /^(?:[A-Za-z]|\.{0,2}\/)(?:[^\s:#]|[:#](?=[^\s])|[ \t]+(?=[^\s#]))*$/
const quotedText = /^(?:"[^"\\]*"|'[^']*')$/
const wholeNumber = /^(?:0|[1-9]\d{0,14})$/
const words = /^\[[A-Za-z][\w-]*(?:, *[A-Za-z][\w-]*)*\]$/
const reservedWords = /^(?:null|true|false)$/i

function readScalar(text: string, start: number): PlainNode | undefined {
  const range: YamlRange = [start, start + text.length]
  if (text === 'true' || text === 'false') return { value: text === 'true', range }
  if (reservedWords.test(text)) return undefined
  if (plainText.test(text)) return { value: text, range }
  if (quotedText.test(text)) return { value: text.slice(1, -1), range }
  if (wholeNumber.test(text)) return { value: Number(text), range }
  return words.test(text) ? readWords(text, range) : undefined
}

function readWords(text: string, range: YamlRange): PlainNode | undefined {
  const children = new Map<number, PlainNode>()
  for (const { 0: value, index } of text.matchAll(/[\w-]+/g)) {
    if (reservedWords.test(value)) return undefined
    const start = range[0] + index
    children.set(children.size, { value, range: [start, start + value.length] })
  }
  return { value: Array.from(children.values(), (child) => child.value), range, children }
}
