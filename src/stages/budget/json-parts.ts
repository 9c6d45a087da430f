/** Finds the parts of a JSON value that can be shortened, and replaces them. Pure. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'

export type Path = readonly (string | number)[]

export interface LongArray {
  readonly path: Path
  readonly items: readonly Json[]
}

/** Deeper values are not shortened: their paths would be longer than they are. */
const maxDepth = 32
/** Shorter texts are not worth a ref. */
const minLongText = 120
/** Paths are shown with refs, and keys are chosen by the creator of the value. */
const maxKeyLength = 40

/** A copy in which every long text is replaced by the result of `change`. */
export function mapLongTexts(
  value: Json,
  change: (text: string, path: Path) => string,
  path: Path = [],
): Json {
  if (typeof value === 'string') return value.length > minLongText ? change(value, path) : value
  if (path.length >= maxDepth) return value
  if (Array.isArray(value)) return value.map((item, index) => mapLongTexts(item, change, [...path, index]))
  if (!isJsonObject(value)) return value
  // fromEntries defines properties, so a key named __proto__ stays data.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapLongTexts(item, change, [...path, key])]),
  )
}

/** The largest array with more than one item; the outer one if nested. */
export function largestArray(value: Json): LongArray | undefined {
  let best: (LongArray & { readonly size: number }) | undefined
  const sizeOf = (part: Json, path: Path): number => {
    if (typeof part === 'string') return part.length
    if (typeof part !== 'object' || part === null) return 4
    const entries = Array.isArray(part)
      ? part.map((item, index) => [index, item] as const)
      : Object.entries(part)
    let size = 2
    for (const [key, item] of entries) {
      size += String(key).length + (path.length < maxDepth ? sizeOf(item, [...path, key]) : 0)
    }
    if (Array.isArray(part) && part.length > 1 && size >= (best?.size ?? 0))
      best = { path, items: part, size }
    return size
  }
  sizeOf(value, [])
  return best
}

/** A copy with another value at `path`. */
export function replaceAt(value: Json, path: Path, replacement: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return replacement
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? replaceAt(item, rest, replacement) : item))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === key ? replaceAt(item, rest, replacement) : item,
    ]),
  )
}

/** `data.items[3].text` */
export function formatPath(root: string, path: Path): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}.${key.slice(0, maxKeyLength)}`),
    root,
  )
}
