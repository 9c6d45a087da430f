/** JSON types and shared helpers. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/**
 * Applies `change` to every string of a JSON value, keys included, since a secret can be in either. Values are passed
 * with their key, which may identify a secret better than the text itself.
 */
export function mapStrings(value: Json, change: (text: string, key?: string) => string, key?: string): Json {
  if (typeof value === 'string') return change(value, key)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, key))
  if (!isJsonObject(value)) return value
  const mapped: [string, Json][] = []
  for (const [name, item] of Object.entries(value))
    mapped.push([change(name), mapStrings(item, change, name)])
  // fromEntries defines properties, so a key named __proto__ stays data.
  return Object.fromEntries(mapped)
}

/** Deterministic JSON: sorted keys, no whitespace. Hashes and signatures depend on it. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const parts: string[] = []
    for (const key of Object.keys(value).sort()) {
      const item = (value as Record<string, unknown>)[key]
      if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`)
    }
    return `{${parts.join(',')}}`
  }
  return JSON.stringify(value ?? null)
}

/** All strings of a value, keys included. */
export function textsIn(value: Json): ReadonlySet<string> {
  const texts = new Set<string>()
  const walk = (item: Json): void => {
    if (typeof item === 'string') texts.add(item)
    else if (Array.isArray(item)) item.forEach(walk)
    else if (item !== null && typeof item === 'object') {
      for (const [name, one] of Object.entries(item)) {
        texts.add(name)
        walk(one)
      }
    }
  }
  walk(value)
  return texts
}

/** The value at a path; undefined if the path does not exist. */
export function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as JsonObject)[String(key)] : undefined),
    value,
  )
}

/** Whether objects and lists are nested at most this deep: recursive walkers use stack for each level. */
export function isWithinDepth(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isWithinDepth(item, levels - 1))
}
