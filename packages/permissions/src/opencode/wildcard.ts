/** Patterns as OpenCode reads them, for the names of tools and for what they are called with. Case counts. */

/** `*` is any text, `?` any one character; a blank with `*` at the end may be missing altogether. */
export function matches(text: string, pattern: string): boolean {
  const plain = text.replaceAll('\\', '/')
  const wild = pattern.replaceAll('\\', '/')
  if (!hasWildcard(wild)) return plain === wild
  return fits(plain, wild) || (wild.endsWith(' *') && fits(plain, wild.slice(0, -2)))
}

/** Whether everything that fits `inner` also fits `outer`. Says no where it cannot tell. */
export function covers(outer: string, inner: string): boolean {
  if (outer === inner) return true
  if (outer.includes('?')) return false
  return matches(inner, outer) && (!inner.endsWith(' *') || matches(inner.slice(0, -2), outer))
}

export function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern)
}

/** For everything there is. */
export function isAny(pattern: string): boolean {
  return /^\*+$/.test(pattern)
}

/** Goes back to the last star only, so that no pattern takes longer than text times pattern. */
function fits(text: string, pattern: string): boolean {
  let at = 0
  let next = 0
  let star = -1
  let taken = 0
  while (at < text.length) {
    if (pattern[next] === '*') {
      star = next++
      taken = at
    } else if (next < pattern.length && (pattern[next] === '?' || pattern[next] === text[at])) {
      next++
      at++
    } else if (star === -1) return false
    else {
      next = star + 1
      at = ++taken
    }
  }
  while (pattern[next] === '*') next++
  return next === pattern.length
}
