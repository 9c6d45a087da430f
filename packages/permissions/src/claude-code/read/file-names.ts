/** All paths of a file, resolved on the disk. */

import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

import { relativeWithin } from '@contextd/shared/files/within'
import type { FileNames } from '../setup/setup.ts'

/** `alias`: the path the user opened the project by, possibly a link; the client treats it as the project itself. */
export function fileNames(project: string, alias: string): (path: string) => FileNames {
  const known = new Map<string, FileNames>()
  return (given) => {
    const below = relativeWithin(alias, given)
    const path = below === undefined ? given : join(project, below)
    const names = known.get(path) ?? lookUp(path)
    known.set(path, names)
    return names
  }
}

/** The same limit as the operating system's. */
const maxLinks = 40

function lookUp(path: string): FileNames {
  const links: string[] = []
  let at = path
  for (let next = linkAt(at); next !== undefined && links.length < maxLinks; next = linkAt(at)) {
    at = resolve(dirname(at), next)
    links.push(at)
  }
  const isThere = existsSync(path)
  const real = realOf(isThere ? path : at)
  return { all: [...new Set([path, ...links, real])], isLink: links.length > 0, isThere }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** For a missing file, the path it would have. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realOf(folder), basename(path))
  }
}
