import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

import { isExecutable } from '@contextd/shared/executable'
import { isWithin } from '@contextd/shared/files/within'

/** The user's git, for running it as the user; undefined if the only one is below `roots`, to which agents write. */
export type FindGit = (roots: readonly string[]) => string | undefined

export function createFindGit(env: NodeJS.ProcessEnv): FindGit {
  const found = gitsOn(env.PATH ?? '/usr/bin:/bin')
  return (roots) =>
    found.find((git) => !roots.some((root) => isWithin(root, git.path) || isWithin(root, git.real)))?.real
}

/** Every git on PATH, in search order. */
function gitsOn(path: string): { path: string; real: string }[] {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'git'))
    .filter(isExecutable)
    .map((git) => ({ path: git, real: realpathSync(git) }))
}
