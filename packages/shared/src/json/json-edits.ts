/** Adds our entries to a client's JSON configuration, and removes them. Pure. */

import { canonicalJson, isJsonObject, type Json, type JsonObject } from './value.ts'

export interface JsonEdit {
  readonly path: readonly [string, ...string[]]
  /** The value to set; undefined = remove. */
  readonly put: (now: Json | undefined, path: readonly string[]) => Json | undefined
  /** The value without our entries; undefined = remove. */
  readonly clear: (now: Json, path: readonly string[]) => Json | undefined
}

/** The file has a value of a type that the client does not accept there. */
export class WrongShape extends Error {
  readonly path: readonly string[]
  readonly expected: string

  constructor(path: readonly string[], expected: string) {
    super(`must be ${expected}`)
    this.path = path
    this.expected = expected
  }
}

/**
 * The list with the items: existing ones stay in place, missing ones are appended. `strip` removes our entries from an
 * item, as an older version may have written them.
 */
export function withItems(
  now: Json | undefined,
  path: readonly string[],
  items: readonly Json[],
  strip: (item: Json) => Json | undefined,
): Json[] {
  if (now !== undefined && !Array.isArray(now)) throw new WrongShape(path, 'a list')
  const missing = new Map(items.map((item) => [canonicalJson(item), item]))
  const kept = (now ?? []).flatMap((item) => {
    if (missing.delete(canonicalJson(item))) return [item]
    const left = strip(item)
    return left === undefined ? [] : [left]
  })
  return [...kept, ...missing.values()]
}

export function putEdits(document: JsonObject, edits: readonly JsonEdit[]): JsonObject {
  return edits.reduce((now, { path, put }) => changeAt(now, path, [], (value) => put(value, path)), document)
}

export function clearEdits(document: JsonObject, edits: readonly JsonEdit[]): JsonObject {
  return edits.reduce(
    (now, { path, clear }) =>
      changeAt(now, path, [], (value) => (value === undefined ? undefined : clear(value, path))),
    document,
  )
}

/** Removes objects that become empty. */
function changeAt(
  object: JsonObject,
  [key, ...rest]: readonly string[],
  above: readonly string[],
  change: (now: Json | undefined) => Json | undefined,
): JsonObject {
  if (key === undefined) return object
  const path = [...above, key]
  const now = Object.hasOwn(object, key) ? object[key] : undefined
  let next: Json | undefined
  if (rest.length === 0) next = change(now)
  else {
    if (now !== undefined && !isJsonObject(now)) throw new WrongShape(path, 'an object')
    const inner = changeAt(now ?? {}, rest, path, change)
    const isEmptied = Object.keys(inner).length === 0 && Object.keys(now ?? {}).length > 0
    next = isEmptied || (now === undefined && Object.keys(inner).length === 0) ? undefined : inner
  }
  const others = Object.entries(object).filter(([name]) => name !== key)
  if (next === undefined) return now === undefined ? object : Object.fromEntries(others)
  const entries = Object.entries(object).map(([name, item]): [string, Json] => [
    name,
    name === key ? next : item,
  ])
  return Object.fromEntries(now === undefined ? [...entries, [key, next]] : entries)
}
