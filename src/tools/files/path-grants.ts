/** What the file capabilities of a call come to for one path. Pure. */

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
  /** Absent for the whole kind: every path of the machine, and not only the workspace. */
  readonly scope?: string
  readonly pattern: PathPattern
  /** Folded in case, and each with everything below: what is taken out is rather taken out too often. */
  readonly except: readonly PathException[]
}

export interface PathException {
  readonly scope: string
  readonly pattern: PathPattern
}

/** The grants of one kind. `fs:write` is no leave to read, nor the other way round. */
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

/** The path is absolute and led through no link when it was looked at. */
export function isGranted(path: string, grants: readonly PathGrant[]): boolean {
  return grants.some((grant) => grantsPath(grant, path))
}

export function grantsPath({ pattern, except }: PathGrant, path: string): boolean {
  if (!matchesPattern(namesOf(path), pattern)) return false
  if (except.length === 0) return true
  const folded = namesOf(path).map(foldCase)
  return !except.some((exception) => matchesPattern(folded, exception.pattern))
}

/** Braces and brackets are wildcards elsewhere. Whoever means them so must not be told that nothing is taken out. */
const foreignWildcard = /\{[^{}/]*\}|\[[^[\]/]*\]/g

function readException(scope: string, places: PatternBases): PathPattern {
  const widened = scope.replace(foreignWildcard, '*')
  const read = /[{}[\]]/.test(widened) ? undefined : readPattern(widened, places)
  // What cannot be understood takes out everything.
  if (read === undefined) return anyPath
  const names = read.names.map(foldCase)
  const rest = read.rest.map(foldCase)
  const last = rest.at(-1)
  return { names, rest: last !== undefined && isWildPart(last) && last !== '**' ? [...rest, '**'] : rest }
}
