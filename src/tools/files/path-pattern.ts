/**
 * Path patterns of capabilities: `src/**`, `docs/*.md`, `/srv/data`, `~/notes/`. Relative to the workspace unless they
 * start with `/` or `~/`. `**` matches any number of folders, `*` and `?` match within one name, everything else is
 * literal. A pattern that matches a folder covers everything below it.
 */

import { matchesWildcards } from '@contextd/shared/text/wildcard'

export { foldCase } from '../../platform/places/fold-case.ts'

/** The bases of relative patterns. Absolute, links resolved. */
export interface PatternBases {
  readonly workspace: string
  readonly home: string
}

export interface PathPattern {
  /** The literal names from the root. */
  readonly names: readonly string[]
  /** The part from the first wildcard on; empty if the pattern is a plain path. */
  readonly rest: readonly string[]
}

/** Matches every path. */
export const anyPath: PathPattern = { names: [], rest: ['**'] }

/** Undefined if the pattern contains `..` after a wildcard, which has no defined meaning. */
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

/** A trailing `**` matches everything below, and the last name may be a folder. */
export function matchesPattern(path: readonly string[], { names, rest }: PathPattern): boolean {
  if (path.length < names.length || names.some((name, at) => path[at] !== name)) return false
  const last = rest.at(-1)
  if (last === undefined) return true
  return matchesParts(isWildPart(last) ? rest : [...rest, '**'], path.slice(names.length))
}

export function isWildPart(part: string): boolean {
  return part.includes('*') || part.includes('?')
}

/** The components of an absolute path. */
export function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '')
}

/** Whether the path is the folder or below it. */
export function isInFolder(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

function matchesParts(pattern: readonly string[], path: readonly string[]): boolean {
  return matchesWildcards(pattern, path, (part) => part === '**', matchesName)
}

function matchesName(pattern: string, name: string): boolean {
  if (!isWildPart(pattern)) return pattern === name
  return matchesWildcards(
    Array.from(pattern),
    Array.from(name),
    (symbol) => symbol === '*',
    (symbol, character) => symbol === '?' || symbol === character,
  )
}
