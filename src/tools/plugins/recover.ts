/**
 * Recovers installs of killed processes. The approval decides: if it matches the files in the project, the install is
 * completed; otherwise everything is restored.
 */

import { lstatSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import type { Store } from '../../platform/storage/store.ts'
import type { ApprovalStore } from './approval-store.ts'
import { readPackageFiles } from './package-files.ts'
import { TOOLS_FOLDER } from './shelf.ts'
import { changeLock } from './lock-file.ts'
import { abandonedStagings, closeStaging, type StagedChange, type Staging } from './staging.ts'

export interface RecoverParts {
  /** Links resolved. */
  readonly project: string
  readonly store: Pick<Store, 'atomically'>
  readonly approvals: Pick<ApprovalStore, 'find'>
}

/** Returns whether there was anything to recover. Never throws, because callers have something else to do. */
export function recoverInstalls({ project, store, approvals }: RecoverParts): boolean {
  if (abandonedStagings(project).length === 0) return false
  try {
    // Exclusive: another process may have found the same, or may be installing something.
    return store.atomically(() => {
      const abandoned = abandonedStagings(project)
      for (const { staging, change } of abandoned) {
        if (change !== undefined) settle(project, staging, change, approvals)
        closeStaging(staging)
      }
      return abandoned.length > 0
    })
  } catch {
    return false
  }
}

function settle(
  project: string,
  staging: Staging,
  change: StagedChange,
  approvals: Pick<ApprovalStore, 'find'>,
): void {
  const { name } = change
  const approved = approvals.find(name)?.sha256
  const isDone =
    change.action === 'take'
      ? approved === undefined && !exists(toolFolder(project, name))
      : approved === change.sha256 && readPackageFiles(toolFolder(project, name)).sha256 === approved
  if (isDone) changeLock(project, name, change.action === 'take' ? undefined : change.locked)
  else undoChange(project, staging, change)
}

/** Undoes as much of `swap` or `moveToOld` as was done. Removes nothing but our own files. */
export function undoChange(project: string, staging: Staging, change: StagedChange): void {
  const place = toolFolder(project, change.name)
  const wasPut = change.action === 'put' && !exists(staging.fresh)
  if (wasPut && exists(place) && readPackageFiles(place).sha256 === change.sha256)
    renameSync(place, staging.fresh)
  if (exists(staging.old) && !exists(place)) renameSync(staging.old, place)
}

/** Moves the new files into place. The old ones are kept until the change is complete. */
export function swap(project: string, name: string, staging: Staging): void {
  moveToOld(project, name, staging)
  renameSync(staging.fresh, toolFolder(project, name))
}

export function moveToOld(project: string, name: string, staging: Staging): void {
  const place = toolFolder(project, name)
  if (exists(place)) renameSync(place, staging.old)
}

export function toolFolder(project: string, name: string): string {
  return join(project, TOOLS_FOLDER, name)
}

export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
