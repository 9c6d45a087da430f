/** What of a workspace agents do not write, unless a grant names it: the table of protected places, and git's own files. */

import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { pathsOf } from '../../platform/place-table.ts'
import { protectedMatches } from '../../platform/protected-match.ts'
import { inGitFolder, protectedPlaces } from '../../platform/protected-places.ts'
import { readSmallText } from '../../platform/small-file.ts'
import { grantsPath, type PathGrant } from './path-grants.ts'
import { foldCase, isWithin, namesOf, readPattern, type Places } from './path-pattern.ts'

/** Protected in every folder of the workspace, with all that is below. */
export const protectedPaths: readonly string[] = pathsOf(
  protectedPlaces.filter(({ isHomeOnly }) => isHomeOnly !== true),
)
const protectedAtHome = pathsOf(protectedPlaces)

export interface Protection {
  readonly places: Places
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
  const inside = isWithin(path, places.workspace) ? namesOf(places.workspace).length : 0
  const isNamed = (least: number): boolean =>
    writes.some((grant) => grant.pattern.names.length >= least && grantsPath(grant, path))
  // Without a folder of git's, the workspace itself could become one.
  if (inside > 0 && folded.length === inside + 1 && folded[inside] === 'head' && !isNamed(inside + 1))
    return true
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
export function whyProtected(path: string, { workspace, home }: Places): string {
  const from = isWithin(path, workspace) ? namesOf(workspace).length : 0
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
 * workspace, in the home folder and in the repository's own folder. In deeper folders only safe_write looks: every clone
 * and every new project has some, and what a command makes there is part of its work.
 */
export function guardedPaths(protection: Protection): string[] {
  const { places, protect, writes } = protection
  const { workspace } = places
  const at = (folder: string, paths: readonly string[]): string[] =>
    paths.filter((path) => !path.startsWith('.git/')).map((path) => join(folder, path))
  // Of the home folder only what could be written at all: most workspaces are somewhere else.
  const roots = writes.map(({ pattern }) => `/${pattern.names.join('/')}`)
  const atHome = at(places.home, protectedAtHome).filter((path) => roots.some((root) => isWithin(path, root)))
  const atTop = [...at(workspace, protectedPaths), ...atHome]
  const own = protect.flatMap((text) => {
    const entry = readPattern(text, places)
    return entry === undefined ? [] : [`/${entry.names.join('/')}`]
  })
  // The repository's folder may lie elsewhere and have any name, so that its paths need not look protected.
  const git = gitPaths(workspace)
  const depth = namesOf(workspace).length
  const isNamed = (path: string): boolean =>
    writes.some((grant) => grant.pattern.names.length > depth && grantsPath(grant, path))
  return [
    ...[...new Set([...atTop, ...own])].filter((path) => isProtected(path, protection)),
    ...git.filter((path) => isProtected(path, protection) || !isNamed(path)),
  ]
}

function gitPaths(workspace: string): string[] {
  const git = join(workspace, '.git')
  const kind = lstatSync(git, { throwIfNoEntry: false })
  // Without a folder of git's, the workspace itself could become one.
  if (kind === undefined) return [...gitFolderPaths(git), join(workspace, 'HEAD')]
  if (kind.isDirectory()) return [...gitFolderPaths(git), ...namedInConfig(git, workspace)]
  const folder = gitFolderElsewhere(git, kind.isSymbolicLink())
  // Where it lies outside, no command can write to it anyway.
  return [git, ...(folder !== undefined && isWithin(folder, workspace) ? gitFolderPaths(folder) : [])]
}

/** What the repository's configuration takes hooks from (`core.hooksPath`) or includes. */
function namedInConfig(git: string, workspace: string): string[] {
  const text = readSmallText(join(git, 'config')) ?? ''
  const named = (key: string, from: string): string[] =>
    [...text.matchAll(new RegExp(`^\\s*${key}\\s*=\\s*"?([^"\\n#;]+)`, 'gim'))].map(([, path = '']) =>
      resolve(from, path.trim()),
    )
  return [...named('hookspath', workspace), ...named('path', git)].filter(
    (path) => path !== workspace && isWithin(path, workspace),
  )
}

/** Where a link, or a file with `gitdir: …` in it, leads to. */
function gitFolderElsewhere(git: string, isLink: boolean): string | undefined {
  try {
    if (isLink) return realpathSync(git)
    const target = /^gitdir: (.+)$/m.exec(readSmallText(git) ?? '')?.[1]
    return target === undefined ? undefined : realpathSync(resolve(git, '..', target))
  } catch {
    return undefined
  }
}

function gitFolderPaths(folder: string): string[] {
  return [
    ...inGitFolder.map((name) => join(folder, name)),
    ...['modules', 'worktrees'].flatMap((name) => modulePaths(join(folder, name))),
  ]
}

/** Where there is more below than that, a stranger may hide something in it: then all of it is guarded. */
const mostFolders = 1000
const deepest = 6
/** They hold nothing that is run, and can be very large. */
const passedOver: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'lfs', 'hooks', 'info'])

/** A submodule's name may have slashes, and it may have submodules: a folder of git's is one with a HEAD. */
function modulePaths(modules: string): string[] {
  const paths: string[] = []
  let seen = 0
  const look = (folder: string, depth: number): boolean =>
    foldersIn(folder).every((name) => {
      const path = join(folder, name)
      const isGit = mayBeThere(join(path, 'HEAD'))
      if (isGit) paths.push(...inGitFolder.map((each) => join(path, each)))
      return passedOver.has(name) || (++seen <= mostFolders && depth < deepest && look(path, depth + 1))
    })
  return look(modules, 0) ? paths : [modules]
}

/** Where a command has closed the folder, rather yes. */
function mayBeThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch {
    return []
  }
}
