/** Path containment by names only: for real paths, or if links do not matter. */

import { isAbsolute, relative, sep } from 'node:path'

/** The relative path from a folder to a path in it, empty for the folder itself; undefined for paths outside. */
export function relativeWithin(folder: string, path: string): string | undefined {
  const relativePath = relative(folder, path)
  return relativePath === '..' || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath)
    ? undefined
    : relativePath
}

/** Whether a path is the folder itself or in it. */
export function isWithin(folder: string, path: string): boolean {
  return relativeWithin(folder, path) !== undefined
}
