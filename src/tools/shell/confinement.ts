/**
 * Turns the grants of a call into the view of its commands. The kernel knows folders and files, not patterns: a grant
 * that cannot be expressed with them is not given, and an exclusion that cannot be expressed refuses the command.
 */

import { existsSync } from 'node:fs'

import type { Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import type { Confinement, Folder } from '../../sandbox/sandbox.ts'
import { pathGrants, type FileAction, type PathException, type PathGrant } from '../files/path-grants.ts'
import { isInFolder, readPattern, type PathPattern, type PatternBases } from '../files/path-pattern.ts'
import { privatePaths } from '../files/private-paths.ts'
import { gitAllowed, guardedPaths } from '../files/protected-paths.ts'
import { kernelFolders, realPathOf } from '../real-path.ts'

export interface ShellGrants {
  readonly grants: readonly Capability[]
  /** Links resolved. */
  readonly workspace: string
  /** Folders of contextd, which no command sees. */
  readonly ownFolders: readonly string[]
  /** Additional paths of the workspace that agents may not write. */
  readonly protect: readonly string[]
  readonly home?: string
}

export type CommandView = Pick<Confinement, 'folders' | 'hidden' | 'guarded' | 'gitAllowed'>

export function foldersFor({ grants, workspace, protect, ...rest }: ShellGrants): CommandView {
  if (isSystemFolder(workspace)) {
    throw new ContextdError('SANDBOX_UNAVAILABLE', {
      cause: 'the workspace is a system folder, and commands would see all of it',
      hint: 'Start contextd in the folder of a project, or set `workspace.path`.',
    })
  }
  const places: PatternBases = { workspace, home: realPathOf(rest.home ?? homeFolder()) }
  const own = rest.ownFolders.map(realPathOf)
  const reads = viewOf(grants, 'read', places)
  const writes = viewOf(grants, 'write', places)
  const isOwn = (path: string): boolean => own.some((folder) => isInFolder(path, folder))

  const writeGrants = pathGrants(grants, 'write', places)
  const guardedEverywhere = [...guardedPaths({ places, writes: writeGrants, protect }), ...writes.exceptions]
  const folders = nested(
    [
      ...reads.roots.map((path) => ({ path, access: 'read' as const })),
      ...writableOf(reads.roots, writes.roots)
        .filter((path) => !guardedEverywhere.includes(path))
        .map((path) => ({ path, access: 'write' as const })),
    ].filter(({ path }) => !isOwn(path)),
  )
  // A missing path need not be hidden, and must not displace a guarded path. The same for a link.
  const secret = privatePaths(places.home, pathGrants(grants, 'read', places)).filter(
    (path) => existsSync(path) && realPathOf(path) === path,
  )
  const hidden = outermost([...reads.exceptions, ...own, ...secret].filter((path) => isBelow(path, folders)))
  const writable = folders.filter(({ access }) => access === 'write')
  return {
    folders,
    hidden,
    guarded: [...new Set(guardedEverywhere)].filter(
      (path) => isBelow(path, writable) && !hidden.some((folder) => isInFolder(path, folder)),
    ),
    gitAllowed: gitAllowed(writeGrants, places),
  }
}

/** Without duplicates and paths inside others: in a hidden folder nothing else can be hidden. */
function outermost(paths: readonly string[]): string[] {
  const once = [...new Set(paths)]
  return once.filter((path) => !once.some((other) => other !== path && isInFolder(path, other)))
}

interface View {
  /** Whole folders and files. */
  readonly roots: readonly string[]
  readonly exceptions: readonly string[]
}

/**
 * A grant without a scope is every path of the machine for the file tools, but only the workspace for commands: a
 * sandbox is not for the whole machine.
 */
function viewOf(grants: readonly Capability[], action: FileAction, places: PatternBases): View {
  const roots: string[] = []
  const exceptions: string[] = []
  for (const grant of pathGrants(grants, action, places)) {
    const root = rootOf(grant, places)
    if (root === undefined) continue
    const taken = grant.except.flatMap((exception) => exceptedFrom(root, exception, action, places) ?? [])
    if (taken.some((path) => isInFolder(root, path))) continue
    roots.push(root)
    exceptions.push(...taken)
  }
  return { roots, exceptions }
}

/**
 * Undefined for a pattern that is not a whole folder, for missing paths, and for links. A command with the same grants
 * cannot change that before the folder is mounted: it is mounted separately only if its parent is not writable.
 */
function rootOf({ scope, pattern }: PathGrant, { workspace }: PatternBases): string | undefined {
  if (scope === undefined) return workspace
  const path = wholeFolder(pattern)
  if (path === undefined || isSystemFolder(path)) return undefined
  return existsSync(path) && realPathOf(path) === path ? path : undefined
}

/** The folder that a pattern covers completely, and nothing else. */
function wholeFolder({ names, rest }: PathPattern): string | undefined {
  return rest.every((part) => part === '**') ? `/${names.join('/')}` : undefined
}

/** The part of the folder that the exclusion covers; undefined if they do not overlap. */
function exceptedFrom(
  root: string,
  { scope }: PathException,
  action: FileAction,
  places: PatternBases,
): string | undefined {
  const pattern = readPattern(scope, places)
  const start = pattern === undefined ? '/' : `/${pattern.names.join('/')}`
  if (!isInFolder(start, root) && !isInFolder(root, start)) return undefined
  // Excluding everything in a folder is excluding the folder.
  const isWhole = pattern !== undefined && pattern.rest.every((part) => part === '**' || part === '*')
  if (isWhole && !/[{}[\]]/.test(scope)) return start
  throw new ContextdError('SANDBOX_UNAVAILABLE', {
    cause: `commands could not be kept from what the rules exclude with \`fs:${action}:${scope}\``,
    hint: 'Only whole files and folders can be excluded for commands. Deny a path without wildcards, or `folder/**`, or deny `shell:exec`.',
  })
}

/** Write access without read access grants nothing: what is mounted can be read. */
function writableOf(reads: readonly string[], writes: readonly string[]): string[] {
  return reads.flatMap((read) =>
    writes.flatMap((write) => (isInFolder(write, read) ? [write] : isInFolder(read, write) ? [read] : [])),
  )
}

/** Parents first, without duplicates, and without folders already included in a parent with the same access. */
function nested(folders: readonly Folder[]): Folder[] {
  const access = new Map<string, Folder['access']>()
  for (const folder of folders) {
    if (access.get(folder.path) !== 'write') access.set(folder.path, folder.access)
  }
  const sorted = [...access]
    .map(([path, how]) => ({ path, access: how }))
    .sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
  const kept: Folder[] = []
  for (const folder of sorted) {
    const around = kept.findLast(({ path }) => isInFolder(folder.path, path))
    if (around?.access !== folder.access) kept.push(folder)
  }
  return kept
}

function isBelow(path: string, folders: readonly Folder[]): boolean {
  return folders.some((folder) => path !== folder.path && isInFolder(path, folder.path))
}

/** A workspace may be below one of these, but never is one of them. */
const systemFolders =
  '/bin /boot /dev /etc /home /lib /lib32 /lib64 /media /mnt /opt /proc /run /sbin /srv /sys /tmp /usr /var'.split(
    ' ',
  )

function isSystemFolder(path: string): boolean {
  return (
    systemFolders.some((folder) => isInFolder(folder, path)) ||
    kernelFolders.some((folder) => isInFolder(path, folder))
  )
}
