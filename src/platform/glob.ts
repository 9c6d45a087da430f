/** Names with at most one `*`, at the start, at the end or alone. Case-sensitive. */

import { compileStars } from '@contextd/shared/text/wildcard'

/**
 * What a pattern for names may look like. `?` and `[` are refused next to a `*`: other tools read them as
 * wildcards there, and a rule that silently means something else is worse than none.
 */
export const namePattern = /^(?:[^*]+|\*[^*?[\]]*|[^*?[\]]+\*)$/

/** The same for addresses, where `?` and `[` are ordinary characters. */
export const addressPattern = /^(?:\*?[^*]+|[^*]*\*)$/

export function isWildcard(pattern: string): boolean {
  return pattern.includes('*')
}

/** Values by pattern: a lookup returns those of the name itself first, then those of matching wildcards. */
export interface GlobIndex<T> {
  lookup(name: string): readonly T[]
  /** The patterns without a wildcard. */
  names(): readonly string[]
}

export function indexGlobs<T>(entries: Iterable<readonly [pattern: string, value: T]>): GlobIndex<T> {
  const exact = new Map<string, T[]>()
  const wild: { matches: (name: string) => boolean; value: T }[] = []
  for (const [pattern, value] of entries) {
    if (isWildcard(pattern)) wild.push({ matches: compileStars(pattern), value })
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
