/** Parses YAML and keeps the position of each part. */

import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type Node, type Pair } from 'yaml'

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { readPlainYaml, type PlainNode, type YamlRange } from './plain-yaml.ts'

export type { YamlRange } from './plain-yaml.ts'

export interface YamlDocument {
  readonly ok: true
  /** Whether it was read without the full YAML parser. */
  readonly isPlain: boolean
  /** Empty if the text is not a mapping. */
  readonly value: JsonObject
  /** The range of the value at `path`, or of its key; undefined if the path does not exist. */
  readonly range: (path: JsonPath, part: 'value' | 'key') => YamlRange | undefined
  /** Top-level keys that a later duplicate overrides. */
  readonly voided: readonly { readonly key: string; readonly range: YamlRange }[]
}

export interface YamlFault {
  readonly ok: false
  readonly message: string
  readonly offset: number
}

/** `uniqueKeys`: a duplicate key is an error; otherwise the last one wins. */
export function parseYaml(
  yaml: string,
  { uniqueKeys }: { readonly uniqueKeys: boolean },
): YamlDocument | YamlFault {
  const plain = readPlainYaml(yaml)
  return plain === undefined ? parseAnyYaml(yaml, { uniqueKeys }) : fromPlain(plain)
}

/** The same with the full YAML parser. */
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
    if (yaml.includes('&') && containsItself(value)) return fault(new Error('a value contains itself'), 0)
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
    // Thrown for an excessive number of aliases.
    return fault(error as Error, 0)
  }
}

/** The parser is quadratic in the depth, and its stack overflow could crash the process where nothing catches it. */
const maxDepth = 200
const dashes = new RegExp(`(?:[-?:][ \\t]+){${maxDepth}}`)

/** Brackets in strings are counted too, since real texts do not leave that many open. */
function tooDeepAt(yaml: string): number | undefined {
  let depth = 0
  for (const { 0: bracket, index } of yaml.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > maxDepth) return index
  }
  return dashes.exec(yaml)?.index
}

/** Detects aliases within their own anchor. Visits each object once, since an alias bomb shares its objects. */
function containsItself(
  value: unknown,
  ancestors = new Set<unknown>(),
  checked = new Set<unknown>(),
): boolean {
  if (typeof value !== 'object' || value === null || checked.has(value)) return false
  if (ancestors.has(value)) return true
  ancestors.add(value)
  const isCycle = Object.values(value).some((inner) => containsItself(inner, ancestors, checked))
  ancestors.delete(value)
  checked.add(value)
  return isCycle
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
