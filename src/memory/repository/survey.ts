/** Lists the files of a folder without opening them. */

import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'

import { knownFiles, type IndexOwner, type KnownFile } from '../../platform/storage/chunk-words.ts'
import type { Store } from '../../platform/storage/store.ts'
import { nearestRepository } from '@contextd/shared/files/nearest-repository'
import { walkFolder } from '@contextd/shared/files/walk'
import { isSkippedByName } from './languages.ts'

/** Limits the survey; everything if empty. */
export interface SurveyScope {
  /** Only these folders below it; `''` is the folder itself. */
  readonly folders?: readonly ChangedFolder[]
  /** Only these files, which are already indexed. */
  readonly files?: readonly string[]
}

export interface ChangedFolder {
  readonly name: string
  /** Including everything below it. */
  readonly isDeep: boolean
}

export interface SurveyRules {
  /** False for files that no agent may ever read. The path is absolute. */
  readonly mayIndex: (path: string) => boolean
  /** In bytes. */
  readonly maxFileBytes: number
  /** Called for each folder that is not ignored. */
  readonly onFolder?: ((name: string) => void) | undefined
}

export interface Survey {
  /** New files, and those whose size or date changed. */
  readonly changed: readonly string[]
  readonly same: readonly string[]
  /** Known files that no longer exist or are now ignored. */
  readonly removed: readonly string[]
  readonly tooLarge: readonly string[]
  readonly notes: readonly string[]
}

export const ignoreFiles = ['.gitignore', '.contextdignore'] as const

/** Yields regularly so that other work can run. */
export async function surveyFolder(
  store: Store,
  owner: IndexOwner,
  scope: SurveyScope,
  rules: SurveyRules,
  turn: () => Promise<void>,
): Promise<Survey> {
  const known = new Map(candidatesForRemoval(store, owner, scope).map((file) => [file.path, file]))
  const notes: string[] = []
  const changed: string[] = []
  const same: string[] = []
  const tooLarge: string[] = []
  const removed = new Set(known.keys())
  let files = 0
  for (const name of namesOf(owner.project, known, scope, rules, notes)) {
    if (++files % filesPerTurn === 0) await turn()
    const before = known.get(name)
    // Known files have passed this check before.
    const stat =
      before !== undefined || isIndexable(owner.project, name, rules)
        ? statOf(owner.project, name)
        : undefined
    if (stat === undefined) continue
    if (stat.size > rules.maxFileBytes) {
      tooLarge.push(name)
      continue
    }
    removed.delete(name)
    const isUnchanged = before?.size === stat.size && before.changedMs === stat.ctimeMs
    ;(isUnchanged ? same : changed).push(name)
  }
  return { changed, same, removed: [...removed], tooLarge, notes }
}

const filesPerTurn = 256

/** Known files that may turn out to be missing. */
function candidatesForRemoval(
  store: Store,
  owner: IndexOwner,
  { files, folders }: SurveyScope,
): readonly KnownFile[] {
  // These are read in any case.
  if (files !== undefined) return files.map((path) => ({ path, size: -1, changedMs: 0 }))
  if (folders === undefined) return knownFiles(store, owner)
  return folders.flatMap(({ name }) => knownFiles(store, owner, name === '' ? undefined : name))
}

function* namesOf(
  folder: string,
  known: ReadonlyMap<string, KnownFile>,
  { files, folders = [{ name: '', isDeep: true }] }: SurveyScope,
  { onFolder }: SurveyRules,
  notes: string[],
): Generator<string> {
  if (files !== undefined) {
    yield* files
    return
  }
  // Ignore files above the folder, up to the repository root, apply too.
  const root = nearestRepository(folder) ?? folder
  const prefixLength = root === folder ? 0 : folder.length - root.length - (root === '/' ? 0 : 1) + 1
  const nameOf = (inRoot: string): string => inRoot.slice(prefixLength)
  const seen = new Set<string>()
  const isNew = (name: string): boolean => !seen.has(name) && seen.add(name).has(name)
  for (const { name, isDeep } of folders) {
    const below = new Set<string>()
    const walk = walkFolder({
      root,
      folder: join(folder, name),
      ignoreFiles,
      isShallow: !isDeep,
      onFolder(inRoot) {
        below.add(nameOf(inRoot))
        onFolder?.(nameOf(inRoot))
      },
      onIgnored: () => {},
      onSkip: () => {},
      onWarning: (file, message) => notes.push(`${file}: ${message}`),
    })
    for (const { name: inRoot } of walk) {
      const file = nameOf(inRoot)
      if (isNew(file)) yield file
    }
    if (!isDeep) for (const file of filesBelow(name, below, known)) if (isNew(file)) yield file
  }
}

/** The known files below those subfolders that were not entered. */
function* filesBelow(
  folder: string,
  entered: ReadonlySet<string>,
  known: ReadonlyMap<string, KnownFile>,
): Generator<string> {
  const start = folder === '' ? 0 : folder.length + 1
  for (const file of known.keys()) {
    const slash = folder === '' || file.startsWith(`${folder}/`) ? file.indexOf('/', start) : -1
    if (slash !== -1 && entered.has(file.slice(0, slash))) yield file
  }
}

function isIndexable(folder: string, name: string, { mayIndex }: SurveyRules): boolean {
  // A name that is not valid UTF-8 does not lead back to its file.
  return !isSkippedByName(name) && !name.includes('\uFFFD') && mayIndex(join(folder, name))
}

/** Undefined if it is not a regular file. */
function statOf(folder: string, name: string): Stats | undefined {
  const stat = lstatSync(`${folder}/${name}`, { throwIfNoEntry: false })
  return stat?.isFile() === true ? stat : undefined
}
