/**
 * Every git repository below some folders. Git takes a folder for a repository by what is in it, whatever its name, and
 * always needs a `HEAD` there; a `.git` leads from a work tree to one.
 */

import { lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface FoundRepositories {
  /** Folders git would read settings and hooks from. */
  readonly gitDirs: readonly string[]
  /** Folders with a `.git`, be it a folder, a file or a link. */
  readonly workTrees: readonly string[]
}

export interface RepositoryFinder {
  /** Roots are absolute, with links resolved. Follows no links: what they lead to inside is found at its own place. */
  find(roots: readonly string[]): Promise<FoundRepositories>
}

interface SeenFolder {
  readonly ctimeNs: bigint
  readonly subfolders: readonly string[]
  readonly hasHead: boolean
  readonly hasGit: boolean
}

/** A change within one tick of the kernel's clock does not show in the time of the folder. */
const clockSlackNs = 100_000_000n
/** Everything else in this process goes on in between. */
const maxBlockMs = 4

/**
 * Remembers what it read: a folder whose change time is the same has the same entries, and no program can set that time.
 * So a second look costs one `lstat` for each folder.
 */
export function createRepositoryFinder(): RepositoryFinder {
  const seen = new Map<string, SeenFolder>()

  const look = (folder: string): SeenFolder | undefined => {
    try {
      const stat = lstatSync(folder, { bigint: true, throwIfNoEntry: false })
      if (stat?.isDirectory() !== true) {
        seen.delete(folder)
        return undefined
      }
      const known = seen.get(folder)
      if (known?.ctimeNs === stat.ctimeNs) return known
      const now = BigInt(Date.now()) * 1_000_000n
      const entries = readdirSync(folder, { withFileTypes: true })
      const found: SeenFolder = {
        ctimeNs: stat.ctimeNs,
        subfolders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
        hasHead: entries.some(({ name }) => name === 'HEAD'),
        hasGit: entries.some(({ name }) => name === '.git'),
      }
      if (stat.ctimeNs + clockSlackNs < now) seen.set(folder, found)
      else seen.delete(folder)
      return found
    } catch {
      // Closed to us, and so to the user's git: it is looked at again as soon as its mode changes.
      seen.delete(folder)
      return undefined
    }
  }

  return {
    async find(roots) {
      const gitDirs: string[] = []
      const workTrees: string[] = []
      const waiting = [...roots]
      const visited = new Set<string>()
      let restAt = performance.now() + maxBlockMs
      for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
        if (visited.has(folder)) continue
        visited.add(folder)
        if (performance.now() > restAt) {
          await nextTurn()
          restAt = performance.now() + maxBlockMs
        }
        const found = look(folder)
        if (found === undefined) continue
        // Also without a HEAD: `git init` would make a repository of it, and keep its settings and hooks.
        if (basename(folder) === '.git' || (found.hasHead && isGitDir(folder))) gitDirs.push(folder)
        if (found.hasGit) workTrees.push(folder)
        for (const name of found.subfolders) waiting.push(join(folder, name))
      }
      return { gitDirs, workTrees }
    },
  }
}

/**
 * As git decides it, and a little earlier: one of the others is enough beside `HEAD`, since the rest may come later.
 * `planned` is a file that is about to be written.
 */
export function isGitDir(folder: string, planned = ''): boolean {
  const has = (name: string): boolean => {
    const path = join(folder, name)
    if (planned === path || planned.startsWith(`${path}/`)) return true
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      // What we may not look at may be there; below a file there is nothing.
      return (error as NodeJS.ErrnoException).code === 'EACCES'
    }
  }
  return has('HEAD') && (has('objects') || has('refs') || has('commondir'))
}
