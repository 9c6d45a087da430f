/** Applies the file capabilities of a call to a path. Pure. */

import type { Capability } from '../../core/capability.ts'
import {
  anyPath,
  foldCase,
  isWildPart,
  matchesPattern,
  namesOf,
  readPattern,
  type PathPattern,
  type PatternBases,
} from './path-pattern.ts'

export type FileAction = 'read' | 'write'

export interface PathGrant {
  /** Absent for the whole capability: every path of the machine, not only the workspace. */
  readonly scope?: string
  readonly pattern: PathPattern
  /** Case-folded, and each including everything below: exclusions rather cover too much. */
  readonly except: readonly PathException[]
}

export interface PathException {
  readonly scope: string
  readonly pattern: PathPattern
}

/** The grants of one kind. `fs:write` does not include read, or vice versa. */
export function pathGrants(
  grants: readonly Capability[],
  action: FileAction,
  places: PatternBases,
): readonly PathGrant[] {
  return grants.flatMap(({ kind, scope, except = [] }) => {
    if (kind !== `fs:${action}`) return []
    const pattern = scope === undefined ? anyPath : readPattern(scope, places)
    if (pattern === undefined) return []
    const exceptions = except.map((text) => ({ scope: text, pattern: readException(text, places) }))
    return [{ pattern, except: exceptions, ...(scope !== undefined && { scope }) }]
  })
}

/** The path must be absolute with links resolved. */
export function isGranted(path: string, grants: readonly PathGrant[]): boolean {
  return grants.some((grant) => grantsPath(grant, path))
}

export function grantsPath({ pattern, except }: PathGrant, path: string): boolean {
  if (!matchesPattern(namesOf(path), pattern)) return false
  if (except.length === 0) return true
  const folded = namesOf(path).map(foldCase)
  return !except.some((exception) => matchesPattern(folded, exception.pattern))
}

/** Braces and brackets are wildcards elsewhere. An exclusion that uses them must not silently exclude nothing. */
const foreignWildcard = /\{[^{}/]*\}|\[[^[\]/]*\]/g

function readException(scope: string, places: PatternBases): PathPattern {
  const widened = scope.replace(foreignWildcard, '*')
  const read = /[{}[\]]/.test(widened) ? undefined : readPattern(widened, places)
  // A pattern that cannot be parsed excludes everything.
  if (read === undefined) return anyPath
  const names = read.names.map(foldCase)
  const rest = read.rest.map(foldCase)
  const last = rest.at(-1)
  return { names, rest: last !== undefined && isWildPart(last) && last !== '**' ? [...rest, '**'] : rest }
}
