/** What the client takes the project to be: its repository, whether it is trusted, what the user set for it. */

import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { readSmallText } from '@contextd/shared/files/small-file'
import { nearestRepository } from '@contextd/shared/files/nearest-repository'
import type { JsonFile, FileProblem } from '../../files/client-files.ts'
import type { ClaudePlaces } from './places.ts'
import { readJsonFile } from './json-file.ts'

export interface Workspace {
  /** There is a `.claude.json`. */
  readonly isUsed: boolean
  readonly isTrusted: boolean
  /** Whether the user accepted another folder: what agents bring counts by where they stand. */
  readonly trusts: (folder: string) => boolean
  /** `.claude.json`. */
  readonly state?: JsonFile
  /** What `.claude.json` says of this project, and where. */
  readonly own: JsonObject
  readonly ownPath: JsonPath
  /** From the project upwards: the folders whose `.claude` counts. */
  readonly folders: readonly string[]
  /** The user's own for this project; the stronger first. */
  readonly localSettings: readonly string[]
}

export function readWorkspace(
  { project, home, state: file }: ClaudePlaces,
  problems: FileProblem[],
): Workspace {
  const state = readJsonFile(file, 'Claude Code knows nothing of what it says', problems)
  const projects = isJsonObject(state?.value.projects) ? state.value.projects : {}
  const repository = nearestRepository(project)
  const main = repository === undefined ? undefined : mainRepository(repository)
  const name = main ?? project
  const own = projects[name]
  const isAccepted = (known: Json | undefined): boolean =>
    isJsonObject(known) && known.hasTrustDialogAccepted === true
  const local = (folder: string): string => join(folder, '.claude', 'settings.local.json')
  const store = main === undefined || main === home || !isOurs(main) ? project : main
  return {
    isUsed: existsSync(file),
    isTrusted: isAccepted(own),
    trusts(folder) {
      const real = realPathOrSame(folder)
      const around = nearestRepository(real)
      return isAccepted(projects[around === undefined ? real : mainRepository(around)])
    },
    ...(state !== undefined && { state }),
    own: isJsonObject(own) ? own : {},
    ownPath: ['projects', name],
    folders: upTo(project, repository, home),
    localSettings: store === project ? [local(project)] : [local(store), local(project)],
  }
}

/** From the folder to the last one, or to the root where there is none; `before` stays out, with all that is above it. */
function upTo(folder: string, last: string | undefined, before: string): string[] {
  const folders: string[] = []
  for (let at = folder; at !== before; at = dirname(at)) {
    folders.push(at)
    if (at === last || dirname(at) === at) break
  }
  return folders
}

/** Of a linked work tree, the repository it belongs to. */
function mainRepository(repository: string): string {
  const link = readSmallText(join(repository, '.git'))
  const folder = /^gitdir:(.*)$/m.exec(link ?? '')?.[1]?.trim()
  if (folder === undefined || folder === '') return repository
  const tree = resolve(repository, folder)
  const common = readSmallText(join(tree, 'commondir'))?.trim()
  if (common === undefined || common === '') return repository
  const shared = resolve(tree, common)
  return shared.endsWith('/.git') ? dirname(shared) : repository
}

/** The client leaves the settings of a repository alone that somebody else owns. */
function isOurs(repository: string): boolean {
  const me = process.geteuid?.()
  if (me === undefined) return false
  try {
    const claude = lstatSync(join(repository, '.claude'), { throwIfNoEntry: false })
    const owners = [statSync(repository).uid, lstatSync(join(repository, '.git')).uid, claude?.uid ?? me]
    return owners.every((owner) => owner === me)
  } catch {
    return false
  }
}

/** As it is on the disk, links followed; as it was given where it is not there. */
export function realPathOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
