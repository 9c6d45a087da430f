/** The state of the repositories before a command runs, which later checks compare with. */

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { readSmallFile } from '@contextd/shared/files/small-file'
import { isWithin } from '@contextd/shared/files/within'

import type { FoundRepositories } from './find-repositories.ts'
import { gitPathKind } from './git-places.ts'
import { gitSettingsFiles } from './named-files.ts'
import type { Risks } from './repository-risks.ts'
import type { RepositoryState } from './watch-journal.ts'

export function takeBaseline(
  found: FoundRepositories,
  risks: Risks,
  roots: readonly string[],
  allowed: readonly string[],
): RepositoryState {
  const held = new Map<string, string>()
  for (const path of heldPaths(found, risks, roots)) {
    const identity = fileIdentity(path)
    if (identity !== undefined && !isAllowed(path, allowed)) held.set(path, identity)
  }
  return { roots, allowed, risks: new Set(risks.risks.keys()), held, saved: savedSettings(found) }
}

/**
 * Everything that could run a program, and the settings of each root's repository and its submodules. Not the settings of
 * its work trees: a command could not remove one that it added.
 */
function heldPaths({ gitDirs }: FoundRepositories, { risks }: Risks, roots: readonly string[]): string[] {
  const own = roots.flatMap((root) => {
    const git = join(root, '.git')
    const parts = gitDirs
      .filter((gitDir) => gitDir === git || isWithin(join(git, 'modules'), gitDir))
      .flatMap((gitDir) => [...gitSettingsFiles, 'hooks', 'commondir'].map((name) => join(gitDir, name)))
    return [...parts, ...(gitPathKind(git) === 'file' ? [git] : [])]
  })
  const paths = [...own, ...[...risks.values()].map(({ hold }) => hold)]
  return [...new Set(paths)]
}

/** What another running command may have created does not belong to the state before this one. */
export function withoutWorkOf(state: RepositoryState, other: RepositoryState): RepositoryState {
  const overlaps = state.roots.some((one) =>
    other.roots.some((root) => isWithin(one, root) || isWithin(root, one)),
  )
  if (!overlaps) return state
  return {
    ...state,
    risks: new Set([...state.risks].filter((id) => other.risks.has(id))),
    saved: new Map([...other.saved].filter(([path]) => state.saved.has(path))),
  }
}

/** Larger than any real settings file. Saved copies are on disk while the command runs. */
const maxSavedBytes = 65_536
const maxSavedTotal = 4 << 20

/** The settings of every repository, restored if a command replaces them. */
function savedSettings({ gitDirs }: FoundRepositories): Map<string, Buffer> {
  const saved = new Map<string, Buffer>()
  let total = 0
  for (const gitDir of gitDirs) {
    for (const name of gitSettingsFiles) {
      const path = join(gitDir, name)
      const read = gitPathKind(path) === 'file' ? readSmallFile(path, maxSavedBytes) : undefined
      if (read?.kind !== 'bytes' || total + read.bytes.length > maxSavedTotal) continue
      saved.set(path, read.bytes)
      total += read.bytes.length
    }
  }
  return saved
}

export function isAllowed(path: string, allowed: readonly string[]): boolean {
  return allowed.some((folder) => isWithin(folder, path))
}

/** Changes when the path is replaced by another file or folder. */
export function fileIdentity(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stat && `${stat.dev} ${stat.ino} ${stat.birthtimeNs} ${isOnlyName(path)}`
  } catch {
    return undefined
  }
}

/** Whether there are no hard links through which the file, or a file in the folder, could be written. */
export function isOnlyName(path: string): boolean {
  try {
    const stat = lstatSync(path)
    if (!stat.isDirectory()) return stat.nlink === 1
    return readdirSync(path).every((name) => {
      const inner = lstatSync(join(path, name))
      return inner.isDirectory() || inner.nlink === 1
    })
  } catch {
    return false
  }
}
