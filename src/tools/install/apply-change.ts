/** Applies a staged change to the project: files, approvals and the list of installed tools together. */

import { join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import { storeError } from '../../platform/files/store-error.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Trust } from '../../platform/trust.ts'
import { readPackageFiles, type PackageFiles } from '../plugins/package-files.ts'
import { changeLock, lockFileOf, readLock, type LockedTool } from '../plugins/lock-file.ts'
import { undoChange, toolFolder } from '../plugins/recover.ts'
import {
  closeStaging,
  ensureFolders,
  writeJournal,
  type StagedChange,
  type Staging,
} from '../plugins/staging.ts'

export interface InstallState {
  /** Links resolved. */
  readonly project: string
  readonly store: Pick<Store, 'transaction'>
  readonly trust: Pick<Trust, 'trust' | 'isTrusted' | 'forget'>
}

/**
 * Runs `work` under the lock that all processes share, undoes the files if it fails, and updates the list last. If the
 * process is killed in between, `recoverInstalls` completes or undoes the change.
 */
export function applyChange(
  state: InstallState,
  staging: Staging,
  change: StagedChange,
  before: PackageFiles,
  work: () => void,
): void {
  const { project, store } = state
  withFileErrors(project, () => {
    const { name } = change
    try {
      writeJournal(staging, change)
      store.transaction(() => {
        // The user took time to confirm: by now the folders may be removed, or replaced by a link.
        ensureFolders(project)
        if (currentFiles(project, name).sha256 !== before.sha256)
          throw new ContextdError('FILE_CHANGED', { hint: 'Run the command again.' })
        work()
      })
    } catch (error) {
      undoChange(project, staging, change)
      closeStaging(staging)
      throw error
    }
    writeLock(state, name, change.action === 'put' ? change.locked : undefined)
    closeStaging(staging)
  })
}

/** A list that came with the project is not trusted because we changed it. */
export function writeLock(state: InstallState, name: string, tool: LockedTool | undefined): void {
  const { project, store, trust } = state
  const lockFile = lockFileOf(project)
  store.transaction(() => {
    const wasTrusted = isLockTrusted(state)
    const bytes = changeLock(project, name, tool)
    if (bytes === undefined) trust.forget(lockFile)
    else if (wasTrusted) trust.trust(lockFile, bytes)
  })
}

export function isLockTrusted({ project, trust }: InstallState): boolean {
  const { bytes } = readLock(project)
  return bytes === undefined || trust.isTrusted(lockFileOf(project), bytes)
}

export function forgetFiles(
  { project, trust }: InstallState,
  name: string,
  files: PackageFiles['files'],
): void {
  for (const { path } of files) trust.forget(join(toolFolder(project, name), path))
}

export function currentFiles(project: string, name: string): PackageFiles {
  return readPackageFiles(toolFolder(project, name))
}

/** Errors such as a full disk become catalogue errors. */
export function asFileError(project: string, error: unknown): unknown {
  return storeError(error, join(project, '.contextd'))
}

export function withFileErrors<T>(project: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asFileError(project, error)
  }
}
