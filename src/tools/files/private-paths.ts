/**
 * Keys, logins and histories that people have in their home folder. Whoever works in a folder around them, or in the home
 * folder itself, does not mean to show them: they are there only for a grant that names them.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { namesIn } from '@contextd/shared/files/names-in'
import { groupPaths } from '../../platform/places/place-table.ts'
import { grantsPath, type PathGrant } from './path-grants.ts'
import { foldCase, isInFolder, namesOf } from './path-pattern.ts'
import { privatePlaces } from './private-places.ts'
import { realPathOf } from '../real-path.ts'

const privateNames = groupPaths(privatePlaces)
/** By the first of their names. */
const privateBelow = new Map<string, string[]>()
for (const name of privateNames) {
  const [first = ''] = name.split('/', 1)
  privateBelow.set(first, [...(privateBelow.get(first) ?? []), name])
}

/** Every private path by its own name, and by the one that it has where a link leads to it from there. */
export function findPrivatePaths(home: string): string[] {
  return [...new Set([...privateNames.map((name) => join(home, name)), ...targetsIn(home)])]
}

/** The same, folded in case. Asked with every call, so that what does not change is made once. */
export function foldedPrivatePaths(home: string): string[] {
  if (known.home !== home) known = { home, folded: privateNames.map((name) => foldCase(join(home, name))) }
  return [...known.folded, ...targetsIn(home).map(foldCase)]
}

let known: { readonly home: string; readonly folded: readonly string[] } = { home: '', folded: [] }

function targetsIn(home: string): string[] {
  // Most of them are not there: one look at the folder is cheaper than one at each.
  const paths = namesIn(home).flatMap((first) => privateBelow.get(first) ?? [])
  return (
    paths
      .map((name) => join(home, name))
      .filter((path) => existsSync(path))
      .map(realPathOf)
      // A link to a folder around everything else hides nothing in particular.
      .filter((target) => !isInFolder(home, target))
  )
}

/** Those that none of the grants names, as `~/.aws/**` does; a wildcard from further up names nothing. */
export function privatePaths(home: string, grants: readonly PathGrant[]): string[] {
  return findPrivatePaths(home).filter((place) => !isNamed(place, place, grants))
}

/** Whether this path is one of `places`, which are folded in case, or lies in one, and no grant names it there. */
export function isPrivate(path: string, places: readonly string[], grants: readonly PathGrant[]): boolean {
  const folded = foldCase(path)
  return places.some((place) => isInFolder(folded, place) && !isNamed(path, place, grants))
}

function isNamed(path: string, place: string, grants: readonly PathGrant[]): boolean {
  const depth = namesOf(place).length
  return grants.some((grant) => grant.pattern.names.length >= depth && grantsPath(grant, path))
}
