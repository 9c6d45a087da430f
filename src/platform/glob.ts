/** Names with at most one `*`, at the start, at the end or alone. Case counts. */

/**
 * What a pattern for names may look like. `?` and `[` are refused beside a `*`: other tools read them as wildcards
 * there, and a rule that silently means something else is worse than none.
 */
export const namePattern = /^(?:[^*]+|\*[^*?[\]]*|[^*?[\]]+\*)$/

/** The same for addresses, where `?` and `[` are ordinary characters. */
export const addressPattern = /^(?:\*?[^*]+|[^*]*\*)$/

export function isWildcard(pattern: string): boolean {
  return pattern.includes('*')
}

export function compileGlob(pattern: string): (name: string) => boolean {
  if (!isWildcard(pattern)) return (name) => name === pattern
  if (pattern.startsWith('*')) {
    const tail = pattern.slice(1)
    return (name) => name.endsWith(tail)
  }
  const head = pattern.slice(0, -1)
  return (name) => name.startsWith(head)
}

/** What stands under patterns, found by name: under the name itself first, then under wildcards. */
export interface GlobIndex<T> {
  lookup(name: string): readonly T[]
  /** What stands there by name, without the wildcards. */
  names(): readonly string[]
}

export function indexGlobs<T>(entries: Iterable<readonly [pattern: string, value: T]>): GlobIndex<T> {
  const exact = new Map<string, T[]>()
  const wild: { matches: (name: string) => boolean; value: T }[] = []
  for (const [pattern, value] of entries) {
    if (isWildcard(pattern)) wild.push({ matches: compileGlob(pattern), value })
    else exact.set(pattern, [...(exact.get(pattern) ?? []), value])
  }
  return {
    lookup(name) {
      const named = exact.get(name) ?? []
      const matching = wild.filter(({ matches }) => matches(name))
      return matching.length === 0 ? named : [...named, ...matching.map(({ value }) => value)]
    },
    names: () => [...exact.keys()],
  }
}
