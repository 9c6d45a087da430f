/** YAML with places: what a text says, and where each part of it stands. */

import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type Node, type Pair } from 'yaml'

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { readPlainYaml, type PlainNode, type YamlRange } from './plain-yaml.ts'

export type { YamlRange } from './plain-yaml.ts'

export interface YamlDocument {
  readonly ok: true
  /** Whether it was read without the parser for all of YAML. */
  readonly isPlain: boolean
  /** Empty where the text is no mapping. */
  readonly value: JsonObject
  /** Where the value at `path` (or its key) stands; undefined where there is no such path. */
  readonly range: (path: JsonPath, part: 'value' | 'key') => YamlRange | undefined
  /** Keys of the outermost level that a later one of the same name makes void. */
  readonly voided: readonly { readonly key: string; readonly range: YamlRange }[]
}

export interface YamlFault {
  readonly ok: false
  readonly message: string
  readonly offset: number
}

/** `uniqueKeys`: a key given twice is an error; otherwise the last one counts. */
export function parseYaml(
  yaml: string,
  { uniqueKeys }: { readonly uniqueKeys: boolean },
): YamlDocument | YamlFault {
  const plain = readPlainYaml(yaml)
  return plain === undefined ? parseAnyYaml(yaml, { uniqueKeys }) : fromPlain(plain)
}

/** The same with a parser for all of YAML. */
export function parseAnyYaml(
  yaml: string,
  { uniqueKeys }: { readonly uniqueKeys: boolean },
): YamlDocument | YamlFault {
  const deep = tooDeepAt(yaml)
  if (deep !== undefined) return fault(new Error('it is nested too deep'), deep)
  try {
    const document = parseDocument(yaml, {
      schema: 'core',
      uniqueKeys,
      prettyErrors: false,
      logLevel: 'error',
    })
    const [error] = document.errors
    if (error !== undefined) return fault(error, error.pos[0])
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (yaml.includes('&') && holdsItself(value)) return fault(new Error('a value holds itself'), 0)
    const { contents } = document
    const pairs = new Map(isMap(contents) ? contents.items.map((item) => [nameOf(item.key), item]) : [])
    return {
      ok: true,
      isPlain: false,
      value: isJsonObject(value) ? value : {},
      range: (path, part) => rangeAt(document, pairs, path, part),
      voided: voidedKeys(contents, pairs),
    }
  } catch (error) {
    // With so many aliases that nobody means it.
    return fault(error as Error, 0)
  }
}

/** The parser takes the square of the depth, and then a stack whose end can stop the process where nothing catches it. */
const deepest = 200
const dashes = new RegExp(`(?:[-?:][ \\t]+){${deepest}}`)

/** Also brackets in texts are counted: nobody leaves so many open there. */
function tooDeepAt(yaml: string): number | undefined {
  let depth = 0
  for (const { 0: bracket, index } of yaml.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > deepest) return index
  }
  return dashes.exec(yaml)?.index
}

/** By an alias inside of what it stands for. What is checked once is not checked again: a bomb is small in memory. */
function holdsItself(value: unknown, around = new Set<unknown>(), checked = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null || checked.has(value)) return false
  if (around.has(value)) return true
  around.add(value)
  const isCircle = Object.values(value).some((inner) => holdsItself(inner, around, checked))
  around.delete(value)
  checked.add(value)
  return isCircle
}

function fault({ message }: Error, offset: number): YamlFault {
  return { ok: false, message: message.split('\n', 1)[0] ?? message, offset }
}

function fromPlain(root: PlainNode): YamlDocument {
  return {
    ok: true,
    isPlain: true,
    value: root.value as JsonObject,
    range(path, part) {
      let node: PlainNode | undefined = root
      for (const step of path) node = node?.children?.get(step)
      return part === 'key' ? (node?.key ?? node?.range) : node?.range
    },
    voided: [],
  }
}

type Pairs = ReadonlyMap<string | undefined, Pair>

function rangeAt(
  document: Document.Parsed,
  pairs: Pairs,
  path: JsonPath,
  part: 'value' | 'key',
): YamlRange | undefined {
  let node: Node | null = document.contents
  let key: Node | null = null
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document) ?? null
    if (isSeq(node)) {
      key = null
      node = typeof step === 'number' ? ((node.items[step] as Node | undefined) ?? null) : null
      if (node === null) return undefined
    } else if (isMap(node)) {
      const { items } = node
      const name = String(step)
      const pair =
        node === document.contents ? pairs.get(name) : items.findLast((item) => nameOf(item.key) === name)
      if (pair === undefined) return undefined
      key = pair.key as Node
      node = pair.value as Node | null
    } else return undefined
  }
  const range = (part === 'key' ? (key ?? node) : (node ?? key))?.range
  return range ? [range[0], range[1]] : undefined
}

function voidedKeys(contents: Node | null, pairs: Pairs): YamlDocument['voided'] {
  if (!isMap(contents)) return []
  return contents.items.flatMap((item) => {
    const key = nameOf(item.key)
    const range = (item.key as Node).range
    const isVoid = pairs.get(key) !== item && key !== undefined && range
    return isVoid ? [{ key, range: [range[0], range[1]] as const }] : []
  })
}

function nameOf(key: unknown): string | undefined {
  return isScalar(key) ? String(key.value) : undefined
}
