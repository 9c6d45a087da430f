/** What a person named to be scanned, and the folder that names in the report begin at. */

import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { ContextdError } from '../../../core/errors.ts'
import { nearestRepository } from '../../../platform/tree/nearest-repository.ts'
import { codeOf } from '../../../platform/tree/open-file.ts'
import { isWithin } from '../../../platform/within.ts'
import { repositoryOf, type GitPlace } from './git.ts'

export interface Target {
  /** Links resolved: what a person names is meant. */
  readonly path: string
  readonly isFolder: boolean
}

export function findTarget(path: string): Target {
  try {
    const real = realpathSync(path)
    return { path: real, isFolder: statSync(real).isDirectory() }
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP' && code !== 'EACCES') throw error
    throw new ContextdError('NOT_FOUND', {
      what: 'such file or folder that can be opened',
      path,
      hint: `Check the path: ${path}`,
    })
  }
}

export function folderOf({ path, isFolder }: Target): string {
  return isFolder ? path : dirname(path)
}

/** Of the one repository that holds all of them; else the innermost folder that does. */
export function rootOf(targets: readonly Target[], cwd: string): string {
  const folders = targets.map(folderOf)
  const [first = cwd, ...others] = folders
  let common = first
  while (!others.every((folder) => isWithin(common, folder))) common = dirname(common)
  return nearestRepository(common) ?? common
}

/** The top folder of the repository that holds all of them, or `here` where there are none. */
export async function rootOfChanges(
  paths: readonly string[],
  targets: readonly Target[],
  here: GitPlace,
  inHook: boolean,
): Promise<string> {
  if (paths.includes('-')) {
    throw new ContextdError('USAGE', { problem: 'Commits are not read from what is piped in.' })
  }
  const folder = targets[0] === undefined ? here.folder : folderOf(targets[0])
  const root = realpathSync(await repositoryOf({ ...here, folder }, inHook))
  if (targets.every(({ path }) => isWithin(root, path))) return root
  throw new ContextdError('USAGE', { problem: 'The paths must be of one git repository.' })
}
