import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { readSmallText } from '@contextd/shared/files/small-file'

export interface GitFolder {
  /** The working tree. */
  readonly root: string
  /** The Git directory that all working trees of the repository share. */
  readonly common: string
}

/** The repository that contains a folder. Only accepts what Git itself creates: a link could lead anywhere. */
export function findGitFolder(folder: string): GitFolder | undefined {
  for (let root = folder; ; root = dirname(root)) {
    const place = join(root, '.git')
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) return { root, common: place }
    if (stats !== undefined) {
      const common = stats.isFile() ? commonOf(readSmallText(place) ?? '', root) : undefined
      return common === undefined ? undefined : { root, common }
    }
    if (dirname(root) === root) return undefined
  }
}

function commonOf(text: string, root: string): string | undefined {
  const tree = /^gitdir: ([^\n]+)\n?$/.exec(text)?.[1]
  const common =
    tree === undefined ? undefined : /^(.*\/\.git)\/worktrees\/[^/]+$/.exec(resolve(root, tree))?.[1]
  return common !== undefined && lstatSync(common, { throwIfNoEntry: false })?.isDirectory() === true
    ? common
    : undefined
}
