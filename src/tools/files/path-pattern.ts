/**
 * Path patterns of capabilities: `src/**`, `docs/*.md`, `/srv/data`, `~/notes/`. Relative to the workspace unless they
 * begin with `/` or `~/`. `**` is any number of folders, `*` and `?` stay within one name, all else is literal. What
 * names a folder covers everything below it.
 */

export { foldCase } from '../../platform/places/fold-case.ts'

/** Where patterns begin. Absolute, links resolved. */
export interface PatternBases {
  readonly workspace: string
  readonly home: string
}

export interface PathPattern {
  /** The names from the root on that stand in the pattern as they are. */
  readonly names: readonly string[]
  /** What follows from the first wildcard on; none where the pattern is a plain path. */
  readonly rest: readonly string[]
}

/** What nothing limits. */
export const anyPath: PathPattern = { names: [], rest: ['**'] }

/** Undefined where the pattern leads up again from behind a wildcard: nobody can say where to. */
export function readPattern(scope: string, { workspace, home }: PatternBases): PathPattern | undefined {
  const isHome = scope === '~' || scope.startsWith('~/')
  const start = isHome ? namesOf(home) : scope.startsWith('/') ? [] : namesOf(workspace)
  const names = [...start]
  const rest: string[] = []
  for (const part of namesOf(isHome ? scope.slice(1) : scope)) {
    if (part === '..') {
      if (rest.length > 0) return undefined
      names.pop()
    } else if (part !== '.') {
      if (rest.length > 0 || isWildPart(part)) rest.push(part)
      else names.push(part)
    }
  }
  return { names, rest }
}

/** `**` at the end is all that is below, and a name at the end may be a folder. */
export function matchesPattern(path: readonly string[], { names, rest }: PathPattern): boolean {
  if (path.length < names.length || names.some((name, at) => path[at] !== name)) return false
  const last = rest.at(-1)
  if (last === undefined) return true
  return matchesParts(isWildPart(last) ? rest : [...rest, '**'], path.slice(names.length))
}

export function isWildPart(part: string): boolean {
  return part.includes('*') || part.includes('?')
}

/** The names of an absolute path. */
export function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '')
}

/** True for the folder itself and for what lies in it. */
export function isInFolder(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

function matchesParts(pattern: readonly string[], path: readonly string[]): boolean {
  return matchesWithStar(pattern, path, '**', matchesName)
}

function matchesName(pattern: string, name: string): boolean {
  if (!isWildPart(pattern)) return pattern === name
  const fits = (wanted: string, char: string): boolean => wanted === '?' || wanted === char
  return matchesWithStar(Array.from(pattern), Array.from(name), '*', fits)
}

/**
 * Items against a pattern in which `star` is any number of them. Only the last star is ever tried again: what an
 * earlier one took was the least it could, so no other choice of it helps. Takes at most the product of both lengths.
 */
function matchesWithStar(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  fits: (wanted: string, item: string) => boolean,
): boolean {
  let next = 0
  let retry: { readonly pattern: number; item: number } | undefined
  for (let at = 0; at < items.length;) {
    const wanted = pattern[next]
    if (wanted === star) {
      retry = { pattern: ++next, item: at }
    } else if (wanted !== undefined && fits(wanted, items[at]!)) {
      next++
      at++
    } else if (retry !== undefined) {
      next = retry.pattern
      at = ++retry.item
    } else {
      return false
    }
  }
  return pattern.slice(next).every((part) => part === star)
}
