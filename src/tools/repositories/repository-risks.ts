/**
 * Everything that git would run because of files below folders that agents write to. Each risk has an id that is
 * stable as long as the risk does not change, so that new risks can be distinguished from existing ones.
 */

import { createHash } from 'node:crypto'
import { lstatSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { namesIn } from '@contextd/shared/files/names-in'
import { readSmallFile, readSmallText } from '@contextd/shared/files/small-file'
import { isWithin } from '@contextd/shared/files/within'
import { realPathOf } from '../real-path.ts'
import type { FoundRepositories } from './find-repositories.ts'
import { commonDirOf, gitDirOf, gitPathKind, realPath } from './git-places.ts'
import { isHarmless } from './harmless-settings.ts'
import { findNamedFiles, gitSettingsFiles, type SettingsTerms } from './named-files.ts'
import { createYielder } from './yielder.ts'

export interface Risk {
  readonly id: string
  /** The path to move aside so that git does not act on it. */
  readonly path: string
  /** The path to make read-only so that it cannot change. */
  readonly hold: string
  /** The last component of the path, if it is not UTF-8. */
  readonly name?: Buffer
}

export interface Risks {
  readonly risks: ReadonlyMap<string, Risk>
  /** Paths below the roots that the user's own settings name, existing or not. */
  readonly named: readonly string[]
}

export async function findRisks(found: FoundRepositories, terms: SettingsTerms): Promise<Risks> {
  const risks = new Map<string, Risk>()
  const add = (id: string, path: string, hold = path): void => void risks.set(id, { id, path, hold })

  const yieldIfDue = createYielder()
  for (const gitDir of withCommonDirs(found.gitDirs, terms)) {
    await yieldIfDue()
    for (const name of gitSettingsFiles) await addSettings(join(gitDir, name), gitDir, terms, add)
    addHooks(join(gitDir, 'hooks'), terms, add)
    addCommonDir(gitDir, add)
    // The legacy form of remotes, which git still reads but never writes.
    for (const folder of ['remotes', 'branches'].map((name) => join(gitDir, name))) {
      for (const name of namesIn(folder)) addFile('remote', join(folder, name), add)
    }
    await addPlannedCommands(gitDir, terms, add)
  }
  for (const workTree of found.workTrees) addPointer(workTree, terms, add)
  // Once renamed, it is checked like any other.
  for (const folder of found.misnamed) {
    const bytes = Buffer.from(folder, 'latin1')
    const name = Buffer.from(basename(folder), 'latin1')
    const path = bytes.toString()
    risks.set(`misnamed ${folder}`, { id: `misnamed ${folder}`, path, hold: path, name })
  }
  const named = await findNamedFiles(found, terms)
  for (const { kind, path } of named) {
    await yieldIfDue()
    if (kind === 'hooks') addHooks(path, terms, add)
    else addFile('named', path, add)
  }
  return { risks, named: named.map(({ path }) => path) }
}

type Add = (id: string, path: string, hold?: string) => void

/** The common directory of a work tree needs no HEAD to be read. */
function withCommonDirs(gitDirs: readonly string[], { roots }: SettingsTerms): Set<string> {
  const common = gitDirs.flatMap((gitDir) => commonDirOf(gitDir) ?? [])
  return new Set([...gitDirs, ...common.filter((folder) => roots.some((root) => isWithin(root, folder)))])
}

async function addSettings(file: string, gitDir: string, terms: SettingsTerms, add: Add): Promise<void> {
  const kind = gitPathKind(file)
  if (kind === 'absent') return
  const settings = kind === 'file' ? await terms.settings.inFile(file, terms) : undefined
  if (settings === undefined) return add(`unreadable ${file} ${contentOf(file)}`, file)
  for (const setting of settings) {
    if (!isHarmless(setting, { gitDir, roots: terms.roots, realPathOf })) {
      add(`setting ${file} ${JSON.stringify(setting)}`, file)
    }
  }
}

/** Every file with a name that could be a hook, now or in a later version of git. */
function addHooks(folder: string, { roots }: SettingsTerms, add: Add): void {
  const kind = gitPathKind(folder)
  if (kind === 'absent') return
  if (kind !== 'folder') return add(`hooks ${folder} ${contentOf(folder)}`, folder)
  for (const name of namesIn(folder)) {
    if (name.endsWith('.sample') || isSetAside(name)) continue
    const path = join(folder, name)
    if (gitPathKind(path) === 'folder') continue
    add(`hook ${path} ${contentOf(path)}`, path, folder)
    const target = gitPathKind(path) === 'link' ? realPath(path) : undefined
    if (target !== undefined && roots.some((root) => isWithin(root, target))) addFile('hook', target, add)
  }
}

/** A linked work tree shares the repository two folders up; any other target would add its own settings and hooks. */
function addCommonDir(gitDir: string, add: Add): void {
  const file = join(gitDir, 'commondir')
  if (gitPathKind(file) === 'absent') return
  const isLinked = basename(dirname(gitDir)) === 'worktrees'
  if (isLinked && gitPathKind(file) === 'file' && commonDirOf(gitDir) === dirname(dirname(gitDir))) return
  add(`commondir ${file} ${contentOf(file)}`, file)
}

const strategies: ReadonlySet<string> = new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree'])

/**
 * An interrupted operation continues with the commands in these files: `exec` lines, and strategies, which are program
 * names.
 */
async function addPlannedCommands(gitDir: string, terms: SettingsTerms, add: Add): Promise<void> {
  const check = (name: string, isPlain: (text: string) => boolean): void => {
    const file = join(gitDir, name)
    const kind = gitPathKind(file)
    if (kind === 'absent') return
    const text = kind === 'file' ? readSmallText(file) : undefined
    if (text === undefined || !isPlain(text)) add(`planned ${file} ${contentOf(file)}`, file)
  }
  check('rebase-merge/git-rebase-todo', (text) => !/^[ \t]*(?:x|exec)[ \t]/m.test(text))
  check('rebase-merge/strategy', (text) => strategies.has(text.trim()))
  const options = (await terms.settings.inFile(join(gitDir, 'sequencer/opts'), terms)) ?? []
  const chosen = options.filter(({ key }) => key === 'options.strategy')
  check('sequencer/opts', () => chosen.every(({ value }) => strategies.has(value)))
}

/** A `.git` that leads out of the folders agents write to makes git treat this folder as part of another repository. */
function addPointer(workTree: string, { roots }: SettingsTerms, add: Add): void {
  const git = join(workTree, '.git')
  const kind = gitPathKind(git)
  if (kind !== 'file' && kind !== 'link') return
  const target = gitDirOf(workTree)
  const real = target === undefined ? undefined : realPath(target)
  if (real !== undefined && roots.some((root) => isWithin(root, real))) return
  add(`pointer ${git} ${contentOf(git)}`, git)
}

function addFile(what: string, path: string, add: Add): void {
  if (gitPathKind(path) !== 'absent') add(`${what} ${path} ${contentOf(path)}`, path)
}

function isSetAside(name: string): boolean {
  return /\.blocked-[0-9a-f]{8}$/.test(name)
}

/** A digest of a file's content; of a folder, its name; of a link, its target. */
function contentOf(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true })
    if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`
    if (stat.isDirectory()) return 'folder'
    const read = readSmallFile(path)
    if (read.kind !== 'bytes') return `${stat.ino} ${stat.ctimeNs}`
    return createHash('sha256').update(read.bytes).digest('hex')
  } catch {
    return 'unreadable'
  }
}
