/** How the client sees the project: its repository, whether it is trusted, and the user's settings for it. */

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
  /** Whether a `.claude.json` exists. */
  readonly isUsed: boolean
  readonly isTrusted: boolean
  /** Whether the user trusts another folder: hooks and servers of agents depend on the agent's folder. */
  readonly trusts: (folder: string) => boolean
  /** `.claude.json`. */
  readonly state?: JsonFile
  /** The entry of this project in `.claude.json`, and its path. */
  readonly own: JsonObject
  readonly ownPath: JsonPath
  /** The folders whose `.claude` is read, from the project upwards. */
  readonly folders: readonly string[]
  /** The user's local settings for this project, strongest first. */
  readonly localSettings: readonly string[]
}

export function readWorkspace(
  { project, home, state: file }: ClaudePlaces,
  problems: FileProblem[],
): Workspace {
  const state = readJsonFile(file, 'Claude Code ignores its contents', problems)
  const projects = isJsonObject(state?.value.projects) ? state.value.projects : {}
  const repository = nearestRepository(project)
  const main = repository === undefined ? undefined : mainRepository(repository)
  const name = main ?? project
  const own = projects[name]
  const isAccepted = (known: Json | undefined): boolean =>
    isJsonObject(known) && known.hasTrustDialogAccepted === true
  const local = (folder: string): string => join(folder, '.claude', 'settings.local.json')
  const store = main === undefined || main === home || !isOwnedByUser(main) ? project : main
  return {
    isUsed: existsSync(file),
    isTrusted: isAccepted(own),
    trusts(folder) {
      const real = realPathOrSame(folder)
      const enclosing = nearestRepository(real)
      return isAccepted(projects[enclosing === undefined ? real : mainRepository(enclosing)])
    },
    ...(state !== undefined && { state }),
    own: isJsonObject(own) ? own : {},
    ownPath: ['projects', name],
    folders: upTo(project, repository, home),
    localSettings: store === project ? [local(project)] : [local(store), local(project)],
  }
}

/** From the folder up to `last` or the root, excluding `before` and everything above it. */
function upTo(folder: string, last: string | undefined, before: string): string[] {
  const folders: string[] = []
  for (let at = folder; at !== before; at = dirname(at)) {
    folders.push(at)
    if (at === last || dirname(at) === at) break
  }
  return folders
}

/** For a linked worktree, the main repository. */
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

/** The client ignores the settings of a repository owned by another user. */
function isOwnedByUser(repository: string): boolean {
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

/** The real path with links resolved, or the absolute path if it does not exist. */
export function realPathOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
