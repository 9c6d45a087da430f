/** The paths to scan, and the folder that names in the report are relative to. */

import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { CommonError, missingThing } from '@contextd/shared/errors/common-error'
import { nearestRepository } from '@contextd/shared/files/nearest-repository'
import { systemErrorCode } from '@contextd/shared/files/error-code'
import { isWithin } from '@contextd/shared/files/within'
import { repositoryOf, type ScannedRepository } from './git.ts'

export interface ScanTarget {
  /** With links resolved: a link named explicitly is followed. */
  readonly path: string
  readonly isFolder: boolean
}

export function findTarget(path: string): ScanTarget {
  try {
    const real = realpathSync(path)
    return { path: real, isFolder: statSync(real).isDirectory() }
  } catch (error) {
    const code = systemErrorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP' && code !== 'EACCES') throw error
    throw new CommonError('NOT_FOUND', {
      ...missingThing('file or folder', path),
      path,
    })
  }
}

export function targetFolder({ path, isFolder }: ScanTarget): string {
  return isFolder ? path : dirname(path)
}

/** The repository that contains all targets, or else the innermost folder that does. */
export function commonRoot(targets: readonly ScanTarget[], cwd: string): string {
  const folders = targets.map(targetFolder)
  const [first = cwd, ...others] = folders
  let common = first
  while (!others.every((folder) => isWithin(common, folder))) common = dirname(common)
  return nearestRepository(common) ?? common
}

/** The top folder of the repository that contains all targets, or `here` without targets. */
export async function rootOfChanges(
  paths: readonly string[],
  targets: readonly ScanTarget[],
  here: ScannedRepository,
  inHook: boolean,
): Promise<string> {
  if (paths.includes('-')) {
    throw new CommonError('USAGE', { problem: 'Commits cannot be read from stdin.' })
  }
  const folder = targets[0] === undefined ? here.folder : targetFolder(targets[0])
  const root = realpathSync(await repositoryOf({ ...here, folder }, inHook))
  if (targets.every(({ path }) => isWithin(root, path))) return root
  throw new CommonError('USAGE', { problem: 'All paths must be in the same git repository.' })
}
