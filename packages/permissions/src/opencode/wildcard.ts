/** OpenCode's patterns for the names and arguments of tools. Case-sensitive. */

import { matchesWildcards } from '@contextd/shared/text/wildcard'

/** `*` matches any text, `?` any one character; ` *` at the end is optional. */
export function matches(text: string, pattern: string): boolean {
  const plain = text.replaceAll('\\', '/')
  const wild = pattern.replaceAll('\\', '/')
  if (!hasWildcard(wild)) return plain === wild
  return fits(plain, wild) || (wild.endsWith(' *') && fits(plain, wild.slice(0, -2)))
}

/** Whether everything that matches `inner` also matches `outer`. False if it cannot be determined. */
export function covers(outer: string, inner: string): boolean {
  if (outer === inner) return true
  if (outer.includes('?')) return false
  return matches(inner, outer) && (!inner.endsWith(' *') || matches(inner.slice(0, -2), outer))
}

export function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern)
}

/** Whether it matches every text. */
export function isAny(pattern: string): boolean {
  return /^\*+$/.test(pattern)
}

function fits(text: string, pattern: string): boolean {
  return matchesWildcards(
    pattern,
    text,
    (symbol) => symbol === '*',
    (symbol, character) => symbol === '?' || symbol === character,
  )
}
