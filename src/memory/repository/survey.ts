/** Looks at the files of a folder, and opens none of them. */

import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'

import { knownLooks, type IndexOwner, type KnownLooks } from '../../platform/storage/chunk-words.ts'
import type { Store } from '../../platform/storage/store.ts'
import { nearestRepository } from '@contextd/shared/files/nearest-repository'
import { walkFolder } from '@contextd/shared/files/walk'
import { isUseless } from './languages.ts'

/** What of the folder is looked at; all of it where nothing is said. */
export interface SurveyScope {
  /** Only these folders below it, `''` being the folder itself. */
  readonly folders?: readonly ChangedFolder[]
  /** Only these files, which are in the index. */
  readonly files?: readonly string[]
}

export interface ChangedFolder {
  readonly name: string
  /** With all below it. */
  readonly isDeep: boolean
}

export interface SurveyRules {
  /** False for what no agent may ever read. The path is absolute. */
  readonly mayIndex: (path: string) => boolean
  /** In bytes. */
  readonly maxFileBytes: number
  /** Each folder that counts. */
  readonly onFolder?: ((name: string) => void) | undefined
}

export interface Survey {
  /** New ones, and those that do not look as they did. */
  readonly changed: readonly string[]
  readonly same: readonly string[]
  /** Known ones that are not there any more, or do not count any more. */
  readonly gone: readonly string[]
  readonly tooLarge: readonly string[]
  readonly notes: readonly string[]
}

export const ignoreFiles = ['.gitignore', '.contextdignore'] as const

/** Yields every so often, so that others get their turn. */
export async function surveyFolder(
  store: Store,
  owner: IndexOwner,
  scope: SurveyScope,
  rules: SurveyRules,
  turn: () => Promise<void>,
): Promise<Survey> {
  const known = new Map(looksOf(store, owner, scope).map((file) => [file.path, file]))
  const notes: string[] = []
  const changed: string[] = []
  const same: string[] = []
  const tooLarge: string[] = []
  const gone = new Set(known.keys())
  let files = 0
  for (const name of namesOf(owner.project, known, scope, rules, notes)) {
    if (++files % filesPerTurn === 0) await turn()
    const before = known.get(name)
    // What is known has been let in before.
    const stat =
      before !== undefined || mayCount(owner.project, name, rules) ? statOf(owner.project, name) : undefined
    if (stat === undefined) continue
    if (stat.size > rules.maxFileBytes) {
      tooLarge.push(name)
      continue
    }
    gone.delete(name)
    const looksSame = before?.size === stat.size && before.changedMs === stat.ctimeMs
    ;(looksSame ? same : changed).push(name)
  }
  return { changed, same, gone: [...gone], tooLarge, notes }
}

const filesPerTurn = 256

/** Of what may turn out to be gone. */
function looksOf(store: Store, owner: IndexOwner, { files, folders }: SurveyScope): readonly KnownLooks[] {
  // These are read in any case.
  if (files !== undefined) return files.map((path) => ({ path, size: -1, changedMs: 0 }))
  if (folders === undefined) return knownLooks(store, owner)
  return folders.flatMap(({ name }) => knownLooks(store, owner, name === '' ? undefined : name))
}

function* namesOf(
  folder: string,
  known: ReadonlyMap<string, KnownLooks>,
  { files, folders = [{ name: '', isDeep: true }] }: SurveyScope,
  { onFolder }: SurveyRules,
  notes: string[],
): Generator<string> {
  if (files !== undefined) {
    yield* files
    return
  }
  // Ignore files of the repository count, also those above the folder.
  const root = nearestRepository(folder) ?? folder
  const above = root === folder ? 0 : folder.length - root.length - (root === '/' ? 0 : 1) + 1
  const nameOf = (inRoot: string): string => inRoot.slice(above)
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

/** Of what lies below a folder that was not entered, the files that are known. */
function* filesBelow(
  folder: string,
  entered: ReadonlySet<string>,
  known: ReadonlyMap<string, KnownLooks>,
): Generator<string> {
  const start = folder === '' ? 0 : folder.length + 1
  for (const file of known.keys()) {
    const slash = folder === '' || file.startsWith(`${folder}/`) ? file.indexOf('/', start) : -1
    if (slash !== -1 && entered.has(file.slice(0, slash))) yield file
  }
}

function mayCount(folder: string, name: string, { mayIndex }: SurveyRules): boolean {
  // A name that is no UTF-8 does not lead back to its file.
  return !isUseless(name) && !name.includes('\uFFFD') && mayIndex(join(folder, name))
}

/** Undefined for what is no file. */
function statOf(folder: string, name: string): Stats | undefined {
  const stat = lstatSync(`${folder}/${name}`, { throwIfNoEntry: false })
  return stat?.isFile() === true ? stat : undefined
}
