/** Parses JSON into spans of its text, so that single strings can be replaced without changing any other byte. */

import { decodeByteText } from '@contextd/shared/text/byte-text'
import type { JsonNode, ObjectNode, ScalarNode, StringNode } from '@contextd/shared/json/json-node'

export type { JsonNode, ObjectNode, StringNode }

export class InvalidJson extends Error {}

const maxDepth = 512
const backslash = 92
const scalarPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The position of the closing quote of the string that starts at `start`; -1 if it has none. */
export function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return -1
}

/**
 * Throws InvalidJson. The content of strings is not checked: `stringAt` fails if their escapes are invalid.
 * `isBytes`: the text is byte text.
 */
export function parseJsonSpans(text: string, isBytes = false): JsonNode {
  let at = 0
  const fail = (): never => {
    throw new InvalidJson(`not JSON at character ${at}`)
  }
  const skipSpace = (): void => {
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
      at += 1
    }
  }
  const readString = (): StringNode => {
    const start = at
    const last = stringEnd(text, start)
    if (last === -1) return fail()
    at = last + 1
    return { kind: 'string', start, end: at, isBytes }
  }
  const readScalar = (): ScalarNode => {
    scalarPattern.lastIndex = at
    if (!scalarPattern.test(text)) fail()
    const start = at
    at = scalarPattern.lastIndex
    return { kind: 'scalar', start, end: at, isBytes }
  }
  const readNode = (depth: number): JsonNode => {
    if (depth > maxDepth) fail()
    const first = text[at]
    if (first === '"') return readString()
    if (first !== '{' && first !== '[') return readScalar()
    const start = at
    const close = first === '{' ? '}' : ']'
    const entries: { key: StringNode; value: JsonNode }[] = []
    const items: JsonNode[] = []
    at += 1
    skipSpace()
    for (let isFirst = true; text[at] !== close; isFirst = false) {
      if (!isFirst) {
        if (text[at] !== ',') fail()
        at += 1
        skipSpace()
      }
      if (first === '[') {
        items.push(readNode(depth + 1))
      } else {
        if (text[at] !== '"') fail()
        const key = readString()
        skipSpace()
        if (text[at] !== ':') fail()
        at += 1
        skipSpace()
        entries.push({ key, value: readNode(depth + 1) })
      }
      skipSpace()
    }
    at += 1
    return first === '{'
      ? { kind: 'object', start, end: at, isBytes, entries }
      : { kind: 'array', start, end: at, isBytes, items }
  }
  skipSpace()
  const root = readNode(0)
  skipSpace()
  if (at !== text.length) fail()
  return root
}

/** The JSON source of a node. */
export function sourceAt(text: string, { start, end, isBytes = false }: JsonNode): string {
  const source = text.slice(start, end)
  return isBytes ? decodeByteText(source) : source
}

/** The decoded value of a string node. Throws InvalidJson if its escapes are invalid. */
export function stringAt(text: string, node: StringNode): string {
  try {
    return JSON.parse(sourceAt(text, node)) as string
  } catch {
    throw new InvalidJson(`not a JSON string at character ${node.start}`)
  }
}

/** A member of an object by name: the last one with that name, like JSON.parse. */
export function memberOf(text: string, node: JsonNode | undefined, name: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined
  return node.entries.findLast(({ key }) => isNamed(text, key, name))?.value
}

/**
 * The name of a member. Only names with escapes are parsed, because a request has thousands, and most are read
 * several times.
 */
export function nameAt(text: string, key: StringNode): string {
  const name = text.slice(key.start + 1, key.end - 1)
  return name.includes('\\') ? stringAt(text, key) : name
}

function isNamed(text: string, key: StringNode, name: string): boolean {
  const length = key.end - key.start - 2
  if (length <= name.length) {
    return length === name.length && text.startsWith(name, key.start + 1) && !name.includes('\\')
  }
  // Longer names only match if they contain escapes, and most differ in their first character.
  const first = text.charCodeAt(key.start + 1)
  return (first === backslash || first === name.charCodeAt(0)) && nameAt(text, key) === name
}

/** The value of a string member; undefined for anything else. */
export function memberText(text: string, node: JsonNode | undefined, name: string): string | undefined {
  const member = memberOf(text, node, name)
  return member?.kind === 'string' ? stringAt(text, member) : undefined
}

export function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.items : []
}
