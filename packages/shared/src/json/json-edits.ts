/** What a client's configuration should say of us, as changes to its value. Pure. */

import { canonicalJson, isJsonObject, type Json, type JsonObject } from './value.ts'

export interface JsonEdit {
  readonly path: readonly [string, ...string[]]
  /** What should stand there; undefined = nothing. */
  readonly put: (now: Json | undefined, path: readonly string[]) => Json | undefined
  /** What stands there without us; undefined = nothing. */
  readonly clear: (now: Json, path: readonly string[]) => Json | undefined
}

/** What stands in the file is not what the client would understand there. */
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
 * The list with the items: those that are there stay where they are, the others come last. `strip` gives an item
 * without what is ours in it, as an older version may have written it.
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

/** An object that has nothing left in it goes too. */
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
