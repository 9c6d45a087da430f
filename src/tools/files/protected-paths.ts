/**
 * Paths of a workspace that agents may not write unless a grant names them: the table of protected places, and git's
 * files.
 */

import { join } from 'node:path'

import { groupPaths } from '../../platform/places/place-table.ts'
import { protectedMatches } from '../../platform/places/protected-match.ts'
import { protectedPlaces } from '../../platform/places/protected-places.ts'
import { grantsPath, type PathGrant } from './path-grants.ts'
import { foldCase, isInFolder, namesOf, readPattern, type PatternBases } from './path-pattern.ts'

/** Protected in every folder of the workspace, with everything below. */
export const protectedPaths: readonly string[] = groupPaths(
  protectedPlaces.filter(({ isHomeOnly }) => isHomeOnly !== true),
)
const protectedAtHome = groupPaths(protectedPlaces)

export interface Protection {
  readonly places: PatternBases
  /** The `fs:write` grants. */
  readonly writes: readonly PathGrant[]
  /**
   * Additional paths of the workspace, from the configuration. A pattern with a wildcard protects the folder before it.
   */
  readonly protect: readonly string[]
}

/**
 * Whether the file with this absolute path is write-protected. A grant lifts the protection if it names the protected
 * path or its first folder literally, as in `.claude/**`; a wildcard such as `**` names nothing.
 */
export function isProtected(path: string, { places, writes, protect }: Protection): boolean {
  const names = namesOf(path)
  const folded = names.map(foldCase)
  const inside = isInFolder(path, places.workspace) ? namesOf(places.workspace).length : 0
  const isNamed = (least: number): boolean =>
    writes.some((grant) => grant.pattern.names.length >= least && grantsPath(grant, path))
  for (const { at } of protectedMatches(path, { from: inside, home: places.home })) {
    if (!isNamed(at + 1)) return true
  }
  return protect.some((text) => {
    const entry = readPattern(text, places)?.names
    if (entry === undefined || !overlaps(folded, entry.map(foldCase))) return false
    return !isNamed(Math.max(entry.length, inside + 1))
  })
}

/** Why agents may not write there; anything not in the table is protected by git or the configuration. */
export function whyProtected(path: string, { workspace, home }: PatternBases): string {
  const from = isInFolder(path, workspace) ? namesOf(workspace).length : 0
  for (const { path: place, reason } of protectedMatches(path, { from, home })) return `${place}: ${reason}`
  return 'it decides what other programs run, or the configuration protects it'
}

/** Whether the names are the entry itself, below it, or a file in place of one of its folders. */
function overlaps(names: readonly string[], entry: readonly string[]): boolean {
  const length = Math.min(names.length, entry.length)
  for (let at = 0; at < length; at++) if (entry[at] !== names[at]) return false
  return true
}

/**
 * The paths that must be read-only in a sandbox, existing or not: the protected paths at the top of the workspace and
 * in the home folder. Deeper folders are checked only by safe_write and safe_edit: every new project has some, and creating them is
 * part of a command's work. Repositories are guarded by what git would do with them, see `src/tools/repositories/`.
 */
export function guardedPaths(protection: Protection): string[] {
  const { places, protect, writes } = protection
  const at = (folder: string, paths: readonly string[]): string[] =>
    paths.filter((path) => path !== '.git').map((path) => join(folder, path))
  // In the home folder, only what could be written at all: most workspaces are elsewhere.
  const roots = writes.map(({ pattern }) => `/${pattern.names.join('/')}`)
  const atHome = at(places.home, protectedAtHome).filter((path) =>
    roots.some((root) => isInFolder(path, root)),
  )
  const own = protect.flatMap((text) => {
    const entry = readPattern(text, places)
    return entry === undefined ? [] : [`/${entry.names.join('/')}`]
  })
  const all = [...at(places.workspace, protectedPaths), ...atHome, ...own]
  return [...new Set(all)].filter((path) => isProtected(path, protection))
}

/**
 * The folders of repositories named by write grants, such as `.git/**` and `fixtures/a.git/**`. Names on the path to
 * the workspace or the home folder are ignored: nobody wrote them in the grant.
 */
export function gitAllowed(writes: readonly PathGrant[], { workspace, home }: PatternBases): string[] {
  const starts = [namesOf(workspace), namesOf(home)]
  return writes.flatMap(({ pattern: { names } }) => {
    const from = Math.max(...starts.map((start) => sharedLength(names, start)))
    const at = names.findIndex((name, index) => index >= from && name.endsWith('.git'))
    return at === -1 ? [] : [`/${names.slice(0, at + 1).join('/')}`]
  })
}

function sharedLength(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((name, index) => name !== other[index])
  return at === -1 ? one.length : at
}
