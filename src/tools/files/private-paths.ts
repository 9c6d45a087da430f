/**
 * Keys, logins and histories that people have in their home folder. Whoever works in a folder around them, or in the home
 * folder itself, does not mean to show them: they are there only for a grant that names them.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { pathsOf } from '../../platform/place-table.ts'
import { grantsPath, type PathGrant } from './path-grants.ts'
import { foldCase, isWithin, namesOf } from './path-pattern.ts'
import { privatePlaces } from './private-places.ts'
import { realPathOf } from './real-path.ts'

const privateNames = pathsOf(privatePlaces)

/** Every private path by its own name, and by the one that it has where a link leads to it from there. */
export function findPrivatePaths(home: string): string[] {
  const paths = privateNames.map((name) => join(home, name))
  const targets = paths
    .filter((path) => existsSync(path))
    .map(realPathOf)
    // A link to a folder around everything else hides nothing in particular.
    .filter((target) => !isWithin(home, target))
  return [...new Set([...paths, ...targets])]
}

/** Those that none of the grants names, as `~/.aws/**` does; a wildcard from further up names nothing. */
export function privatePaths(home: string, grants: readonly PathGrant[]): string[] {
  return findPrivatePaths(home).filter((place) => !isNamed(place, place, grants))
}

/** Whether this path is one of `places`, which are folded in case, or lies in one, and no grant names it there. */
export function isPrivate(path: string, places: readonly string[], grants: readonly PathGrant[]): boolean {
  const folded = foldCase(path)
  return places.some((place) => isWithin(folded, place) && !isNamed(path, place, grants))
}

function isNamed(path: string, place: string, grants: readonly PathGrant[]): boolean {
  const depth = namesOf(place).length
  return grants.some((grant) => grant.pattern.names.length >= depth && grantsPath(grant, path))
}
