/** By which paths a file goes, as the disk has it. */

import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

import { relativeWithin } from '@contextd/shared/files/within'
import type { FileNames } from '../setup/setup.ts'

/** `way`: how the user came to the project, which may be through a link; the client takes it for the project itself. */
export function fileNames(project: string, way: string): (path: string) => FileNames {
  const known = new Map<string, FileNames>()
  return (given) => {
    const below = relativeWithin(way, given)
    const path = below === undefined ? given : join(project, below)
    const names = known.get(path) ?? lookUp(path)
    known.set(path, names)
    return names
  }
}

/** As many as the system itself goes through. */
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

/** Of what is not there, where it would be. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realOf(folder), basename(path))
  }
}
