import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

import { isBelow, parentsBetween, type PathKind } from './bwrap-line.ts'
import type { Confinement } from './sandbox.ts'

export function pathKind(path: string): PathKind {
  let found
  try {
    found = lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // Below a file there is nothing.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
  }
  if (found === undefined) return 'absent'
  return found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file'
}

/** What commands that run must not find a thing at, by how many of them, and where a link at it led. */
export const watchedFor = new Map<string, { guards: number; readonly link?: string }>()

/** What a new sandbox is to be told: what another command put there for a moment is as good as gone. */
export function kindForLine(path: string): PathKind {
  return watchedFor.has(path) ? 'absent' : pathKind(path)
}

/** More than anyone needs, and an end to links that lead to each other. */
const maxLinks = 8

/** What has to be held so that nothing else comes to stand under the guarded names. */
export function heldPlaces({ folders, guarded }: Pick<Confinement, 'folders' | 'guarded'>): string[] {
  const places = guarded.flatMap((path) => {
    const root = folders.findLast((folder) => isBelow(path, folder.path))
    return root?.access === 'write' ? placesOf(root.path, path, maxLinks) : []
  })
  return [...new Set(places)]
}

/** Also links on the way and what they lead to, and a file in place of a folder, such as `.git` of a worktree. */
function placesOf(root: string, path: string, links: number): string[] {
  for (const step of [...parentsBetween(root, path), path]) {
    const kind = watchedFor.get(step)?.link === undefined ? kindForLine(step) : pathKind(step)
    if (kind === 'absent') return [path]
    if (kind === 'file') return [step]
    if (kind !== 'link') continue
    const target = join(resolve(dirname(step), readlinkSync(step)), relative(step, path))
    return [step, ...(links > 0 && isBelow(target, root) ? placesOf(root, target, links - 1) : [])]
  }
  return [path]
}
