/** The files named by git settings in folders that agents write to: included files, hook folders, programs. */

import { dirname, join, resolve } from 'node:path'

import { isWithin } from '@contextd/shared/files/within'
import { realPathOf } from '../real-path.ts'
import type { FoundRepositories } from './find-repositories.ts'
import { commonDirOf, gitDirOf, gitPathKind } from './git-places.ts'
import type { GitSettings, ReadTerms } from './git-settings.ts'
import { isHarmless, type GitSetting } from './harmless-settings.ts'
import { createYielder } from './yielder.ts'

export interface NamedFile {
  readonly path: string
  /** A hook folder, or a file that is read or run. */
  readonly kind: 'hooks' | 'file'
}

export interface SettingsTerms extends ReadTerms {
  readonly settings: GitSettings
  readonly home: string
}

/** The settings files in a repository's git directory. */
export const gitSettingsFiles = ['config', 'config.worktree'] as const

export async function findNamedFiles(found: FoundRepositories, terms: SettingsTerms): Promise<NamedFile[]> {
  const yieldIfDue = createYielder()
  const named = new Map<string, NamedFile>()
  for (const { top, files } of await basesOf(found, terms)) {
    await yieldIfDue()
    for (const { from, setting } of await settingsIn(files, terms)) {
      for (const file of filesIn(setting, from, top, terms)) {
        if (terms.roots.some((root) => file.path !== root && isWithin(root, file.path)))
          named.set(`${file.kind} ${file.path}`, file)
      }
    }
  }
  return [...named.values()]
}

/** A folder git works in, and the files it reads there. */
interface Base {
  readonly top: string
  readonly files: readonly string[]
}

async function basesOf({ gitDirs, workTrees }: FoundRepositories, terms: SettingsTerms): Promise<Base[]> {
  const shared = await terms.settings.userFiles(terms)
  const bases: Base[] = []
  const add = (top: string, gitDir: string | undefined): void => {
    bases.push({ top, files: [...shared, ...(gitDir === undefined ? [] : filesOf(gitDir))] })
  }
  for (const folder of new Set([...workTrees, ...terms.roots])) {
    const top = topAround(folder) ?? folder
    add(top, gitDirOf(top))
  }
  for (const gitDir of gitDirs) {
    // Hooks of a push run in the git directory.
    add(gitDir, gitDir)
    for (const { key, value } of (await terms.settings.inFile(join(gitDir, 'config'), terms)) ?? []) {
      if (key === 'core.worktree') add(resolve(gitDir, value), gitDir)
    }
  }
  return bases
}

/** The settings of a linked work tree are in the repository it belongs to. */
function filesOf(gitDir: string): string[] {
  const common = commonDirOf(gitDir)
  const folders = common === undefined ? [gitDir] : [gitDir, common]
  return folders.flatMap((folder) => gitSettingsFiles.map((name) => join(folder, name)))
}

/** The repository may start above the folder. */
function topAround(folder: string): string | undefined {
  for (let top = folder; ; top = dirname(top)) {
    if (gitPathKind(join(top, '.git')) !== 'absent') return top
    if (top === dirname(top)) return undefined
  }
}

const maxIncludes = 10

/** Includes included files, whatever the condition: an agent can make most conditions true. */
async function settingsIn(
  files: readonly string[],
  terms: SettingsTerms,
): Promise<{ from: string; setting: GitSetting }[]> {
  const found: { from: string; setting: GitSetting }[] = []
  const read = new Set<string>()
  const add = async (file: string, depth: number): Promise<void> => {
    if (read.has(file) || depth > maxIncludes) return
    read.add(file)
    for (const setting of (await terms.settings.inFile(file, terms)) ?? []) {
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

function expand(value: string, from: string, { home }: SettingsTerms): string {
  return value.startsWith('~/') ? join(home, value.slice(2)) : resolve(from, value)
}

function filesIn(setting: GitSetting, from: string, top: string, terms: SettingsTerms): NamedFile[] {
  const { key, value } = setting
  if (isInclude(key)) return [{ kind: 'file', path: expand(value, dirname(from), terms) }]
  if (key === 'core.hookspath') return hookFolders(expand(value, top, terms))
  if (key === 'init.templatedir') {
    const folder = expand(value, top, terms)
    return [
      { kind: 'hooks', path: join(folder, 'hooks') },
      { kind: 'file', path: join(folder, 'config') },
    ]
  }
  if (isHarmless(setting, { gitDir: dirname(from), roots: terms.roots, realPathOf })) return []
  return programsIn(value, top, terms).map((path) => ({ kind: 'file', path }))
}

/** Husky's hooks in `.husky/_` run those of the same name in the parent folder. */
function hookFolders(path: string): NamedFile[] {
  const folders = path.endsWith('/_') ? [path, dirname(path)] : [path]
  return folders.map((folder) => ({ kind: 'hooks', path: folder }))
}

/**
 * Every word of a command line may be the program, or a script passed to an interpreter. If a word is a folder, the
 * command may change to it. For an alias without a slash, git only runs its own commands.
 */
function programsIn(value: string, top: string, terms: SettingsTerms): string[] {
  const isFile = (path: string): boolean => ['file', 'link'].includes(gitPathKind(path))
  const words = new Set([value.trim(), ...quotedIn(value), ...value.split(/[\s'"=;|&()`<>!]+/)])
  for (const word of words) {
    // `-F./file`, `$PWD/tools/x`, `)/tools/x` after a substitution
    if (/^-\w/.test(word)) words.add(word.slice(2))
    const slash = word.indexOf('/')
    if (/^\$\w*\//.test(word) || slash === 0) words.add(word.slice(slash + 1))
  }
  words.delete('')
  const paths = [...words].map((word) => expand(word, top, terms))
  const folders = paths.filter((path) => path !== top && gitPathKind(path) === 'folder')
  const inFolders = folders.flatMap((folder) => [...words].map((word) => expand(word, folder, terms)))
  return [...paths, ...inFolders].filter(isFile)
}

function quotedIn(text: string): string[] {
  return text.split(/["']/).filter((_, index) => index % 2 === 1)
}
