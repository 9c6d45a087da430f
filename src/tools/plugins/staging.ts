/**
 * Where an installation is made ready: a private folder beside the tools, so that a rename is all it takes to put it in
 * place. A journal in it says what is being done, for whoever finds it when we were killed.
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
  /** What is to be put in place. */
  readonly fresh: string
  /** What was there before, while it is being replaced. */
  readonly old: string
  /** For what programs put down. */
  readonly work: string
}

/** `put`: the tool is replaced by one with that hash; `take`: it goes. */
export type StagedChange =
  | { readonly action: 'put'; readonly name: string; readonly sha256: string; readonly locked: LockedTool }
  | { readonly action: 'take'; readonly name: string }

const ownFolder = '.contextd'
const namePattern = /^\.installing-(\d+)-[0-9a-f]{16}$/
const journalName = 'journal.json'
/** Nobody thinks longer about a question. A process id may be another's by then. */
const maxMs = 86_400_000
/** Of this process. After a crash another one may have its id, as in a container. */
const ours = new Set<string>()

/** Where the tools lie. Throws where a link stands in the way: a stranger's project must not lead us elsewhere. */
export function ensureFolders(project: string): void {
  for (const folder of [ownFolder, TOOLS_FOLDER]) {
    const path = join(project, folder)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path)
    else if (!isFolder(path))
      throw new ContextdError('FILE_UNSUITABLE', { problem: `is a link or no folder (${folder})` })
  }
}

/** A new one. */
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
  // First: whoever is killed while removing the rest must not leave a half that looks like something to undo.
  if (isFolder(folder)) rmSync(join(folder, journalName), { force: true })
  rmSync(folder, { recursive: true, force: true })
  ours.delete(folder)
  // What was made for it goes with it.
  for (const empty of [join(folder, '..', '..', TOOLS_FOLDER), join(folder, '..')]) removeEmpty(empty)
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something is in it.
  }
}

/** A real one: in a stranger's project a link may stand anywhere. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Those whose maker is gone; `change` is what it was about to do. None where a link stands in the way. */
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

/** Undefined where it says nothing that counts: then nothing was changed yet. */
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

/** The project may be a stranger's, and so may be what lies there: nothing in it grants anything. */
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
