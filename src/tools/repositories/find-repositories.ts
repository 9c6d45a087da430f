/**
 * Finds every git repository below some folders. Git recognises a repository by its content, whatever its name, and
 * always requires a `HEAD`; a `.git` leads from a work tree to one.
 */

import { isUtf8 } from 'node:buffer'
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  type Dirent,
  type Stats,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { O_PATH } from '../../sandbox/open-flags.ts'
import { createYielder } from './yielder.ts'

export interface FoundRepositories {
  /** Folders git would read settings and hooks from. */
  readonly gitDirs: readonly string[]
  /** Folders with a `.git`, which may be a folder, a file or a link. */
  readonly workTrees: readonly string[]
  /** Folders with a repository whose name is not UTF-8: their bytes as Latin-1. */
  readonly misnamed: readonly string[]
}

export interface RepositoryFinder {
  /** Roots are absolute, with links resolved. Links are not followed: targets inside are found at their own path. */
  find(roots: readonly string[]): Promise<FoundRepositories>
}

interface VisibleFolder {
  readonly ctimeMs: number
  readonly ino: number
  readonly dev: number
  readonly subfolders: readonly string[]
  readonly hasHead: boolean
  readonly hasGit: boolean
}

/** A change within one tick of the kernel's clock does not show in the folder's time. */
const clockSlackMs = 100

/**
 * Caches folders: the same folder with the same change time has the same entries, and no program can set that time. So
 * a repeated search costs one `lstat` per folder.
 */
export function createRepositoryFinder(): RepositoryFinder {
  const seen = new Map<string, VisibleFolder>()

  const look = (folder: string): VisibleFolder | undefined => {
    const path = pathOf(folder)
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat?.isDirectory() !== true) {
        seen.delete(folder)
        return undefined
      }
      const known = seen.get(folder)
      if (known?.ctimeMs === stat.ctimeMs && known.ino === stat.ino && known.dev === stat.dev) return known
      const now = Date.now()
      const entries = entriesOf(path, stat)
      const found: VisibleFolder = {
        ctimeMs: stat.ctimeMs,
        ino: stat.ino,
        dev: stat.dev,
        subfolders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
        hasHead: entries.some(({ name }) => name === 'HEAD'),
        hasGit: entries.some(({ name }) => name === '.git'),
      }
      if (stat.ctimeMs + clockSlackMs < now) seen.set(folder, found)
      else seen.delete(folder)
      return found
    } catch {
      // Unreadable for us, and so for the user's git: checked again every time.
      seen.delete(folder)
      return undefined
    }
  }

  return {
    async find(roots) {
      const gitDirs: string[] = []
      const workTrees: string[] = []
      const misnamed = new Set<string>()
      const add = (list: string[], folder: string): void => {
        const text = textOf(folder)
        if (text === undefined) misnamed.add(firstMisnamed(folder))
        else list.push(text)
      }
      // Names are bytes in the kernel: decoded as UTF-8, some could not be opened again.
      const starts = roots.map((root) => Buffer.from(root).toString('latin1'))
      const waiting = [...starts]
      const visited = new Set<string>()
      const yieldIfDue = createYielder()
      for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
        if (visited.has(folder)) continue
        visited.add(folder)
        await yieldIfDue()
        const found = look(folder)
        if (found === undefined) continue
        // Even without a HEAD: `git init` would turn it into a repository with its settings and hooks.
        if (folder.endsWith('/.git') || (found.hasHead && isGitDir(pathOf(folder)))) add(gitDirs, folder)
        if (found.hasGit) add(workTrees, folder)
        for (const name of found.subfolders) waiting.push(`${folder}/${name}`)
      }
      // Drop deleted folders from the cache.
      for (const folder of seen.keys()) {
        if (!visited.has(folder) && starts.some((start) => folder.startsWith(`${start}/`)))
          seen.delete(folder)
      }
      return { gitDirs, workTrees, misnamed: [...misnamed] }
    },
  }
}

/** Git opens files by name in a folder that cannot be listed, so if we own the folder, it is made listable to check it. */
function entriesOf(path: string | Buffer, { mode, uid }: Stats): Dirent[] {
  const list = (place: string | Buffer): Dirent[] =>
    readdirSync(place, { withFileTypes: true, encoding: 'latin1' })
  try {
    return list(path)
  } catch (error) {
    const canBeSearched = (mode & 0o100) !== 0 && uid === process.getuid?.()
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || !canBeSearched) throw error
    const { O_DIRECTORY, O_NOFOLLOW } = constants
    const folder = openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
    try {
      chmodSync(`/proc/self/fd/${folder}`, (mode & 0o777) | 0o500)
    } finally {
      closeSync(folder)
    }
    return list(path)
  }
}

/** The path as text if that is faster: most names are ASCII, and this is called for every folder. */
function pathOf(latin1: string): string | Buffer {
  return isAscii.test(latin1) ? latin1 : Buffer.from(latin1, 'latin1')
}

const isAscii = /^[ -~]*$/

/** Undefined if the bytes are not UTF-8. */
function textOf(latin1: string): string | undefined {
  const bytes = Buffer.from(latin1, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : undefined
}

function firstMisnamed(folder: string): string {
  return textOf(dirname(folder)) === undefined ? firstMisnamed(dirname(folder)) : folder
}

/**
 * Git's own test, but stricter: one of the others is enough next to `HEAD`, since the rest may come later. `planned` is
 * a file that is about to be written.
 */
export function isGitDir(folder: string | Buffer, planned = ''): boolean {
  const has = (name: string): boolean => {
    const path =
      typeof folder === 'string' ? join(folder, name) : Buffer.concat([folder, Buffer.from(`/${name}`)])
    if (planned === path || planned.startsWith(`${path.toString()}/`)) return true
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      // If access is denied it may exist; a file has nothing below it.
      return (error as NodeJS.ErrnoException).code === 'EACCES'
    }
  }
  return has('HEAD') && (has('objects') || has('refs') || has('commondir'))
}
