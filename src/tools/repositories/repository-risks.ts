/**
 * What git would run, or would be told to run, by files below folders that agents write to. Each is a risk with an id that
 * is the same for as long as nothing about it changes, so that what is new can be told from what was there before.
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
  /** What has to be moved aside for git not to act on it. */
  readonly path: string
  /** What has to be read-only for it to stay as it is. */
  readonly hold: string
  /** The last name of the path where that is not UTF-8. */
  readonly name?: Buffer
}

export interface Risks {
  readonly risks: ReadonlyMap<string, Risk>
  /** Paths below the roots that the user's own settings name, whether they exist or not. */
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
    // Addresses in an old form, which today's git still reads and never writes.
    for (const folder of ['remotes', 'branches'].map((name) => join(gitDir, name))) {
      for (const name of namesIn(folder)) addFile('remote', join(folder, name), add)
    }
    await addPlannedCommands(gitDir, terms, add)
  }
  for (const workTree of found.workTrees) addPointer(workTree, terms, add)
  // Under another name it is looked into like any other.
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

/** The folder that a work tree shares needs no HEAD to be read. */
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

/** All that lies there under a name git could know, now or in a later version. */
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

/** A linked work tree shares the repository two folders up; any other place would bring settings and hooks of its own. */
function addCommonDir(gitDir: string, add: Add): void {
  const file = join(gitDir, 'commondir')
  if (gitPathKind(file) === 'absent') return
  const isLinked = basename(dirname(gitDir)) === 'worktrees'
  if (isLinked && gitPathKind(file) === 'file' && commonDirOf(gitDir) === dirname(dirname(gitDir))) return
  add(`commondir ${file} ${contentOf(file)}`, file)
}

const strategies: ReadonlySet<string> = new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree'])

/** What was stopped goes on with what is written here: `exec` lines, and strategies, which are names of programs. */
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

/** A `.git` that leads out of the folders agents write to makes git take this folder for another repository's. */
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

/** What a file says, in short. A folder is what it is called; a link, where it leads. */
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
