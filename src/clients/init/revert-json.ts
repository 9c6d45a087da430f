import { canonicalJson, isJsonObject, type Json } from '@contextd/shared/json/value'

/** Undoes the change from `before` to `after` in `now`, and keeps later changes by others. */
export function revertJson(now: Json, before: Json, after: Json): Json {
  return revert(now, before, after) ?? {}
}

function revert(now: Json | undefined, before: Json | undefined, after: Json | undefined): Json | undefined {
  if (same(before, after)) return now
  if (same(now, after)) return before
  if (isJsonObject(now) && isJsonObject(after) && (before === undefined || isJsonObject(before))) {
    const old = before ?? {}
    const keys = new Set([...Object.keys(now), ...Object.keys(old)])
    const entries = Array.from(keys).flatMap((key): [string, Json][] => {
      const left = revert(own(now, key), own(old, key), own(after, key))
      return left === undefined ? [] : [[key, left]]
    })
    return entries.length === 0 && before === undefined ? undefined : Object.fromEntries(entries)
  }
  if (Array.isArray(now) && Array.isArray(after) && (before === undefined || Array.isArray(before))) {
    const left = without(now, without(after, before ?? []))
    const missing = without(without(before ?? [], after), left)
    const items = [...left, ...missing]
    return items.length === 0 && before === undefined ? undefined : items
  }
  return now
}

/** Each removed item removes one equal item. */
function without(items: readonly Json[], removed: readonly Json[]): Json[] {
  const rest = removed.map((item) => canonicalJson(item))
  return items.filter((item) => {
    const index = rest.indexOf(canonicalJson(item))
    if (index !== -1) rest.splice(index, 1)
    return index === -1
  })
}

function own(object: { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function same(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return canonicalJson(one) === canonicalJson(other)
}
