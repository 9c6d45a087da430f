import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Toolchains outside `/usr` that the configuration lets commands read: folders, and where in them programs are. */
export interface Toolchains {
  readonly folders: readonly string[]
  readonly programs: readonly string[]
}

/** Those that exist, links resolved. */
export function openToolchains(paths: readonly string[], home: string = homedir()): Toolchains {
  const folders = paths
    .map((path) => (path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path))
    .filter((path) => isFolder(path))
    .map((path) => realpathSync(path))
  const programs = folders.map((folder) => (isFolder(join(folder, 'bin')) ? join(folder, 'bin') : folder))
  return { folders, programs }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
