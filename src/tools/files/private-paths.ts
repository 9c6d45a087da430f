/**
 * Keys, logins and histories in a user's home folder. Someone who works in a folder that contains them, or in the home
 * folder itself, does not intend to expose them: they are accessible only with a grant that names them.
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
/** By first path component. */
const privateBelow = new Map<string, string[]>()
for (const name of privateNames) {
  const [first = ''] = name.split('/', 1)
  privateBelow.set(first, [...(privateBelow.get(first) ?? []), name])
}

/** Every existing private path, and the target if it is a link. */
export function findPrivatePaths(home: string): string[] {
  return [...new Set([...privateNames.map((name) => join(home, name)), ...targetsIn(home)])]
}

/** Case-folded. Called on every call, so the constant part is computed once. */
export function foldedPrivatePaths(home: string): string[] {
  if (known.home !== home) known = { home, folded: privateNames.map((name) => foldCase(join(home, name))) }
  return [...known.folded, ...targetsIn(home).map(foldCase)]
}

let known: { readonly home: string; readonly folded: readonly string[] } = { home: '', folded: [] }

function targetsIn(home: string): string[] {
  // Most of them do not exist: listing the folder once is cheaper than checking each.
  const paths = namesIn(home).flatMap((first) => privateBelow.get(first) ?? [])
  return (
    paths
      .map((name) => join(home, name))
      .filter((path) => existsSync(path))
      .map(realPathOf)
      // A link to a parent of everything else hides nothing in particular.
      .filter((target) => !isInFolder(home, target))
  )
}

/** Those not named by a grant such as `~/.aws/**`; a wildcard further up names nothing. */
export function privatePaths(home: string, grants: readonly PathGrant[]): string[] {
  return findPrivatePaths(home).filter((place) => !isNamed(place, place, grants))
}

/** Whether the path is one of `places` (case-folded) or below one, and not named by a grant. */
export function isPrivate(path: string, places: readonly string[], grants: readonly PathGrant[]): boolean {
  const folded = foldCase(path)
  return places.some((place) => isInFolder(folded, place) && !isNamed(path, place, grants))
}

function isNamed(path: string, place: string, grants: readonly PathGrant[]): boolean {
  const depth = namesOf(place).length
  return grants.some((grant) => grant.pattern.names.length >= depth && grantsPath(grant, path))
}
