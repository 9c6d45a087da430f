/** What of a workspace agents do not write, unless a grant names it: the table of protected places, and git's own files. */

import { join } from 'node:path'

import { groupPaths } from '../../platform/places/place-table.ts'
import { protectedMatches } from '../../platform/places/protected-match.ts'
import { protectedPlaces } from '../../platform/places/protected-places.ts'
import { grantsPath, type PathGrant } from './path-grants.ts'
import { foldCase, isInFolder, namesOf, readPattern, type PatternBases } from './path-pattern.ts'

/** Protected in every folder of the workspace, with all that is below. */
export const protectedPaths: readonly string[] = groupPaths(
  protectedPlaces.filter(({ isHomeOnly }) => isHomeOnly !== true),
)
const protectedAtHome = groupPaths(protectedPlaces)

export interface Protection {
  readonly places: PatternBases
  /** What `fs:write` is granted for. */
  readonly writes: readonly PathGrant[]
  /** More paths of this workspace, from the configuration. One with a wildcard protects the folder that has it. */
  readonly protect: readonly string[]
}

/**
 * Whether a file with this absolute path may not be written. A grant lifts the protection where it names the protected
 * path or its first folder as it is, as `.claude/**` does; a wildcard such as `**` names nothing.
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

/** Why agents do not write there; what the table does not list, git or the configuration protects. */
export function whyProtected(path: string, { workspace, home }: PatternBases): string {
  const from = isInFolder(path, workspace) ? namesOf(workspace).length : 0
  for (const { path: place, reason } of protectedMatches(path, { from, home })) return `${place}: ${reason}`
  return 'it decides what other programs run, or the configuration protects it'
}

/** True for the entry itself, for what is below, and for a file in place of one of its folders. */
function overlaps(names: readonly string[], entry: readonly string[]): boolean {
  const length = Math.min(names.length, entry.length)
  for (let at = 0; at < length; at++) if (entry[at] !== names[at]) return false
  return true
}

/**
 * What a sandboxed command must find read-only, whether it is there yet or not: the protected paths at the top of the
 * workspace and in the home folder. In deeper folders only safe_write looks: every new project has some, and what a
 * command makes there is part of its work. Repositories are guarded by what git would do with them, see
 * `src/tools/repositories/`.
 */
export function guardedPaths(protection: Protection): string[] {
  const { places, protect, writes } = protection
  const at = (folder: string, paths: readonly string[]): string[] =>
    paths.filter((path) => path !== '.git').map((path) => join(folder, path))
  // Of the home folder only what could be written at all: most workspaces are somewhere else.
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
 * The folders of repositories that a grant to write names, as `.git/**` and `fixtures/a.git/**` do. Names that lead to the
 * workspace or the home folder do not count: nobody wrote them into the grant.
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
