import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

import { isBelow, parentsBetween, type PathKind } from './bwrap-line.ts'
import type { Confinement } from './sandbox.ts'

export function pathKind(path: string): PathKind {
  let found
  try {
    found = lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // A file has nothing below it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
  }
  if (found === undefined) return 'absent'
  return found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file'
}

/**
 * Missing paths and links that running commands must not see replaced: the number of their guards, and the link's
 * target.
 */
export const watchedFor = new Map<string, { guards: number; readonly link?: string }>()

/** For a new sandbox, a path that another command created for a moment is treated as absent. */
export function kindForOptions(path: string): PathKind {
  return watchedFor.has(path) ? 'absent' : pathKind(path)
}

/** More than anyone needs; ends cycles of links. */
const maxLinks = 8

/** The paths to make read-only so that nothing else can appear under the guarded names. */
export function guardedPlaces({ folders, guarded }: Pick<Confinement, 'folders' | 'guarded'>): string[] {
  const places = guarded.flatMap((path) => {
    const root = folders.findLast((folder) => isBelow(path, folder.path))
    return root?.access === 'write' ? placesOf(root.path, path, maxLinks) : []
  })
  return [...new Set(places)]
}

/** Includes links on the way and their targets, and a file in place of a folder, such as the `.git` of a worktree. */
function placesOf(root: string, path: string, links: number): string[] {
  for (const step of [...parentsBetween(root, path), path]) {
    const kind = watchedFor.get(step)?.link === undefined ? kindForOptions(step) : pathKind(step)
    if (kind === 'absent') return [path]
    if (kind === 'file') return [step]
    if (kind !== 'link') continue
    const target = join(resolve(dirname(step), readlinkSync(step)), relative(step, path))
    return [step, ...(links > 0 && isBelow(target, root) ? placesOf(root, target, links - 1) : [])]
  }
  return [path]
}
