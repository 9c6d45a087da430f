import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'
import { namesIn } from '@contextd/shared/files/names-in'

/**
 * Below the home folder; `*` matches any one name. Each has the actual programs in `bin`, not shims that need more
 * files.
 */
const places: readonly [name: string, pattern: string][] = [
  ['nvm', '.nvm/versions/node/*'],
  ['fnm', '.local/share/fnm/node-versions/*/installation'],
  ['volta', '.volta/tools/image/node/*'],
  ['pyenv', '.pyenv/versions/*'],
  ['uv', '.local/share/uv/python/*'],
  ['rustup', '.rustup/toolchains/*'],
  ['rbenv', '.rbenv/versions/*'],
  ['sdkman', '.sdkman/candidates/*/current'],
  ['asdf', '.asdf/installs/*/*'],
  ['mise', '.local/share/mise/installs/*/*'],
  ['bun', '.bun'],
  ['deno', '.deno'],
  ['go', 'go'],
]

export interface Toolchain {
  readonly name: string
  /** Absolute, links resolved. */
  readonly path: string
}

/** Toolchains installed in the home folder, which sandboxed commands cannot see. */
export function findToolchains(home: string): Toolchain[] {
  const found = new Map<string, Toolchain>()
  for (const [name, pattern] of places) {
    for (const path of expand(home, pattern.split('/'))) {
      if (isFolder(join(path, 'bin'))) {
        const resolved = realpathSync(path)
        found.set(resolved, { name, path: resolved })
      }
    }
  }
  return [...found.values()]
}

/** Toolchains outside `/usr` that the configuration lets commands read: their folders, and those with programs. */
export interface Toolchains {
  readonly folders: readonly string[]
  readonly programs: readonly string[]
}

/** Only existing ones, with links resolved. */
export function openToolchains(paths: readonly string[], home: string = homeFolder()): Toolchains {
  const folders = paths
    .map((path) => (path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path))
    .filter((path) => isFolder(path))
    .map((path) => realpathSync(path))
  const programs = folders.map((folder) => (isFolder(join(folder, 'bin')) ? join(folder, 'bin') : folder))
  return { folders, programs }
}

function expand(folder: string, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [folder]
  const names = first === '*' ? namesIn(folder) : [first]
  return names.flatMap((name) => expand(join(folder, name), rest))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
