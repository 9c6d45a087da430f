/**
 * What git would run, or would be told to run, by files below folders that agents write to. Each is a risk with an id that
 * is the same for as long as nothing about it changes, so that what is new can be told from what was there before.
 */

import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

import { readSmallFile, readSmallText } from '../../platform/small-file.ts'
import { isWithin } from '../../platform/within.ts'
import type { PathKind } from '../../sandbox/bwrap-line.ts'
import { kindOf as kindThere } from '../../sandbox/guarded-places.ts'
import type { FoundRepositories } from './find-repositories.ts'
import type { GitSettings } from './git-settings.ts'
import { isHarmless, type GitSetting } from './harmless-settings.ts'
import { createTurns } from './turns.ts'

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

export interface RiskTerms {
  readonly settings: GitSettings
  readonly home: string
  /** Folders that agents write to. Absolute, links resolved. */
  readonly roots: readonly string[]
}

/** The files of a repository's own folder that hold settings. */
export const settingsFiles = ['config', 'config.worktree'] as const

export async function findRisks(found: FoundRepositories, terms: RiskTerms): Promise<Risks> {
  const risks = new Map<string, Risk>()
  const named = new Set<string>()
  const add = (id: string, path: string, hold = path): void => void risks.set(id, { id, path, hold })

  const giveTurns = createTurns()
  for (const gitDir of found.gitDirs) {
    await giveTurns()
    for (const name of settingsFiles) await addSettings(join(gitDir, name), gitDir, terms, add)
    addHooks(join(gitDir, 'hooks'), terms, add)
    addCommonDir(gitDir, add)
    addPlannedCommands(gitDir, add)
  }
  for (const workTree of found.workTrees) addPointer(workTree, terms, add)
  // Under another name it is looked into like any other.
  for (const folder of found.misnamed) {
    const bytes = Buffer.from(folder, 'latin1')
    const name = Buffer.from(basename(folder), 'latin1')
    const path = bytes.toString()
    risks.set(`misnamed ${folder}`, { id: `misnamed ${folder}`, path, hold: path, name })
  }

  for (const { top, files } of await basesOf(found, terms)) {
    await giveTurns()
    for (const { from, setting } of await settingsIn(files, terms)) {
      const paths = pathsIn(setting, from, top, terms)
      for (const path of paths) {
        named.add(path)
        if (setting.key === 'core.hookspath') addHooks(path, terms, add)
        else addFile('named', path, add)
      }
    }
  }
  return { risks, named: [...named] }
}

type Add = (id: string, path: string, hold?: string) => void

/** A folder git works in, and the files it then reads. */
interface Base {
  readonly top: string
  readonly files: readonly string[]
}

async function basesOf(
  { gitDirs, workTrees }: FoundRepositories,
  { settings, roots }: RiskTerms,
): Promise<Base[]> {
  const shared = await settings.userFiles()
  const tops = new Set([...workTrees, ...roots])
  const bare = gitDirs.filter((gitDir) => !tops.has(dirname(gitDir)))
  const withTree = [...tops].map((folder) => {
    const top = topAround(folder) ?? folder
    const gitDir = gitDirOf(top)
    return { top, files: [...shared, ...(gitDir === undefined ? [] : filesOf(gitDir))] }
  })
  return [...withTree, ...bare.map((gitDir) => ({ top: gitDir, files: [...shared, ...filesOf(gitDir)] }))]
}

/** Of a linked work tree the settings are in the folder of the repository it belongs to. */
function filesOf(gitDir: string): string[] {
  const common = commonDirOf(gitDir)
  const folders = common === undefined ? [gitDir] : [gitDir, common]
  return folders.flatMap((folder) => settingsFiles.map((name) => join(folder, name)))
}

/** The repository may begin further up than the folder. */
function topAround(folder: string): string | undefined {
  for (let top = folder; ; top = dirname(top)) {
    if (kindOf(join(top, '.git')) !== 'absent') return top
    if (top === dirname(top)) return undefined
  }
}

/** Where `.git` leads: itself, a link, or a file with `gitdir: …` in it. */
function gitDirOf(workTree: string): string | undefined {
  const git = join(workTree, '.git')
  const kind = kindOf(git)
  if (kind === 'folder') return git
  if (kind === 'link') return realPath(git)
  const target = kind === 'file' ? pointed(git) : undefined
  return target === undefined ? undefined : resolve(workTree, target)
}

function pointed(file: string): string | undefined {
  const text = readSmallText(file)
  return text?.startsWith('gitdir:') === true ? text.slice('gitdir:'.length).trim() : undefined
}

function commonDirOf(gitDir: string): string | undefined {
  const text = readSmallText(join(gitDir, 'commondir'))?.trim()
  return text === undefined || text === '' ? undefined : resolve(gitDir, text)
}

const maxIncludes = 10

/** Also those of included files, whatever the condition: an agent can make most of them true. */
async function settingsIn(
  files: readonly string[],
  terms: RiskTerms,
): Promise<{ from: string; setting: GitSetting }[]> {
  const found: { from: string; setting: GitSetting }[] = []
  const read = new Set<string>()
  const add = async (file: string, depth: number): Promise<void> => {
    if (read.has(file) || depth > maxIncludes) return
    read.add(file)
    for (const setting of (await terms.settings.inFile(file)) ?? []) {
      found.push({ from: file, setting })
      if (isInclude(setting.key)) await add(expand(setting.value, dirname(file), terms), depth + 1)
    }
  }
  for (const file of files) await add(file, 0)
  return found
}

function isInclude(key: string): boolean {
  return key === 'include.path' || (key.startsWith('includeif.') && key.endsWith('.path'))
}

function expand(value: string, from: string, { home }: RiskTerms): string {
  return value.startsWith('~/') ? join(home, value.slice(2)) : resolve(from, value)
}

/** The files below the roots that a setting includes, takes hooks from or may run. */
function pathsIn(setting: GitSetting, from: string, top: string, terms: RiskTerms): string[] {
  const { key, value } = setting
  const isInside = (path: string): boolean =>
    terms.roots.some((root) => path !== root && isWithin(root, path))
  if (isInclude(key)) return [expand(value, dirname(from), terms)].filter(isInside)
  if (key === 'core.hookspath') return [expand(value, top, terms)].filter(isInside)
  if (isHarmless(setting, { gitDir: dirname(from), roots: terms.roots })) return []
  if (key.startsWith('alias.') && !value.startsWith('!')) return []
  // A command line: each of its words may be the program, or a script that an interpreter is given.
  return value
    .split(/[\s'"=;|&()`<>!]+/)
    .filter((word) => word !== '')
    .map((word) => expand(word, top, terms))
    .filter((path) => isInside(path) && (kindOf(path) === 'file' || kindOf(path) === 'link'))
}

async function addSettings(file: string, gitDir: string, terms: RiskTerms, add: Add): Promise<void> {
  const kind = kindOf(file)
  if (kind === 'absent') return
  const settings = kind === 'file' ? await terms.settings.inFile(file) : undefined
  if (settings === undefined) return add(`unreadable ${file} ${contentOf(file)}`, file)
  for (const setting of settings) {
    if (!isHarmless(setting, { gitDir, roots: terms.roots })) {
      add(`setting ${file} ${JSON.stringify(setting)}`, file)
    }
  }
}

/** All that lies there under a name git could know, now or in a later version. */
function addHooks(folder: string, { roots }: RiskTerms, add: Add): void {
  const kind = kindOf(folder)
  if (kind === 'absent') return
  if (kind !== 'folder') return add(`hooks ${folder} ${contentOf(folder)}`, folder)
  for (const name of namesIn(folder)) {
    if (name.endsWith('.sample') || isSetAside(name)) continue
    const path = join(folder, name)
    if (kindOf(path) === 'folder') continue
    add(`hook ${path} ${contentOf(path)}`, path, folder)
    const target = kindOf(path) === 'link' ? realPath(path) : undefined
    if (target !== undefined && roots.some((root) => isWithin(root, target))) addFile('hook', target, add)
  }
}

/** A linked work tree shares the repository two folders up; any other place would bring settings and hooks of its own. */
function addCommonDir(gitDir: string, add: Add): void {
  const file = join(gitDir, 'commondir')
  if (kindOf(file) === 'absent') return
  const isLinked = basename(dirname(gitDir)) === 'worktrees'
  if (isLinked && kindOf(file) === 'file' && commonDirOf(gitDir) === dirname(dirname(gitDir))) return
  add(`commondir ${file} ${contentOf(file)}`, file)
}

/** A rebase that was stopped goes on with what is written here, `exec` lines included. */
function addPlannedCommands(gitDir: string, add: Add): void {
  const file = join(gitDir, 'rebase-merge/git-rebase-todo')
  const kind = kindOf(file)
  if (kind === 'absent') return
  const text = kind === 'file' ? readSmallText(file) : undefined
  if (text === undefined || /^[ \t]*(?:x|exec)[ \t]/m.test(text))
    add(`rebase ${file} ${contentOf(file)}`, file)
}

/** A `.git` that leads out of the folders agents write to makes git take this folder for another repository's. */
function addPointer(workTree: string, { roots }: RiskTerms, add: Add): void {
  const git = join(workTree, '.git')
  const kind = kindOf(git)
  if (kind !== 'file' && kind !== 'link') return
  const target = gitDirOf(workTree)
  const real = target === undefined ? undefined : realPath(target)
  if (real !== undefined && roots.some((root) => isWithin(root, real))) return
  add(`pointer ${git} ${contentOf(git)}`, git)
}

function addFile(what: string, path: string, add: Add): void {
  if (kindOf(path) !== 'absent') add(`${what} ${path} ${contentOf(path)}`, path)
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

/** In a folder that is closed to us, git finds nothing either. */
function kindOf(path: string): PathKind {
  try {
    return kindThere(path)
  } catch {
    return 'absent'
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
