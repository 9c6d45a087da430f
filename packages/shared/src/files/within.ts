/** Where a path lies, by its names alone: for real paths, or where links do not matter. */

import { isAbsolute, relative, sep } from 'node:path'

/** The way from a folder to what lies in it, empty for the folder itself; undefined for what lies elsewhere. */
export function relativeWithin(folder: string, path: string): string | undefined {
  const relativePath = relative(folder, path)
  return relativePath === '..' || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath)
    ? undefined
    : relativePath
}

/** True for the folder itself and for what lies in it. */
export function isWithin(folder: string, path: string): boolean {
  return relativeWithin(folder, path) !== undefined
}
