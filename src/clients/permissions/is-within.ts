import { isAbsolute, relative, sep } from 'node:path'

/** True for the folder itself and for what lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path)
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below))
}
