/**
 * Prepares an install in a private folder next to the tools, so that a rename puts it into place. Its journal records
 * the change, for recovery if the process is killed.
 */

import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { isAlive } from '@contextd/shared/process'
import { readSmallText, replaceFile } from '@contextd/shared/files/small-file'
import { toolNamePattern } from './manifest.ts'
import { TOOLS_FOLDER } from './shelf.ts'
import type { LockedTool } from './lock-file.ts'

export interface Staging {
  readonly folder: string
  /** The new files. */
  readonly fresh: string
  /** The old files during the change. */
  readonly old: string
  /** Working folder for programs that fetch. */
  readonly work: string
}

/** `put` replaces the tool by one with that hash; `take` removes it. */
export type StagedChange =
  | { readonly action: 'put'; readonly name: string; readonly sha256: string; readonly locked: LockedTool }
  | { readonly action: 'take'; readonly name: string }

const ownFolder = '.contextd'
const namePattern = /^\.installing-(\d+)-[0-9a-f]{16}$/
const journalName = 'journal.json'
/** Longer than a user takes to confirm. After that the process id may belong to another process. */
const maxMs = 86_400_000
/** Stagings of this process. After a crash another process may have the same id, as in a container. */
const ours = new Set<string>()

/** Creates the folders of the tools. Throws if one is a link: an untrusted project must not redirect us. */
export function ensureFolders(project: string): void {
  for (const folder of [ownFolder, TOOLS_FOLDER]) {
    const path = join(project, folder)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path)
    else if (!isFolder(path))
      throw new ContextdError('FILE_UNSUITABLE', { problem: `is a link or not a folder (${folder})` })
  }
}

export function openStaging(project: string): Staging {
  ensureFolders(project)
  const name = `.installing-${process.pid}-${randomBytes(8).toString('hex')}`
  const staging = stagingAt(join(project, ownFolder, name))
  ours.add(staging.folder)
  mkdirSync(staging.folder, { mode: 0o700 })
  mkdirSync(staging.work, { mode: 0o700 })
  mkdirSync(staging.fresh, { mode: 0o755 })
  return staging
}

function stagingAt(folder: string): Staging {
  return { folder, fresh: join(folder, 'new'), old: join(folder, 'old'), work: join(folder, 'work') }
}

export function writeJournal({ folder }: Staging, change: StagedChange): void {
  replaceFile(join(folder, journalName), JSON.stringify(change), 'replaced')
}

export function closeStaging({ folder }: Staging): void {
  // The journal first: if we are killed while removing the rest, it must not look like something to undo.
  if (isFolder(folder)) rmSync(join(folder, journalName), { force: true })
  rmSync(folder, { recursive: true, force: true })
  ours.delete(folder)
  // Also removes the folders if they were created for it.
  for (const empty of [join(folder, '..', '..', TOOLS_FOLDER), join(folder, '..')]) removeEmpty(empty)
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Not empty.
  }
}

/** Not through a link, which an untrusted project may contain anywhere. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Stagings of ended processes; `change` is what they were doing. None if a folder is a link. */
export function abandonedStagings(
  project: string,
): { readonly staging: Staging; readonly change?: StagedChange }[] {
  if (!isFolder(join(project, ownFolder)) || !isFolder(join(project, TOOLS_FOLDER))) return []
  return readdirSync(join(project, ownFolder)).flatMap((name) => {
    const staging = stagingAt(join(project, ownFolder, name))
    const [, pid] = namePattern.exec(name) ?? []
    if (pid === undefined || isInUse(staging, Number(pid))) return []
    const change = readJournal(staging)
    return [{ staging, ...(change !== undefined && { change }) }]
  })
}

function isInUse({ folder }: Staging, pid: number): boolean {
  if (pid === process.pid) return ours.has(folder)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && isAlive(pid) && Date.now() - found.mtimeMs < maxMs
}

/** Undefined if it is missing or invalid, which means that nothing was changed yet. */
function readJournal({ folder }: Staging): StagedChange | undefined {
  if (!isFolder(folder)) return undefined
  const text = readSmallText(join(folder, journalName))
  if (text === undefined) return undefined
  try {
    return asChange(JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

/** The project and this file may be untrusted: nothing in it grants anything. */
function asChange(value: Json | undefined): StagedChange | undefined {
  if (!isJsonObject(value) || typeof value.name !== 'string' || !toolNamePattern.test(value.name))
    return undefined
  if (value.action === 'take') return { action: 'take', name: value.name }
  if (value.action !== 'put' || typeof value.sha256 !== 'string' || !isJsonObject(value.locked))
    return undefined
  const { source, revision, sha256, installed_at } = value.locked
  const texts = [source, revision, sha256, installed_at]
  if (!texts.every((text) => typeof text === 'string')) return undefined
  return {
    action: 'put',
    name: value.name,
    sha256: value.sha256,
    locked: value.locked as unknown as LockedTool,
  }
}
