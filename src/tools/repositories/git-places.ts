/** Resolves git's references from one folder to another. */

import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { readSmallText } from '@contextd/shared/files/small-file'
import type { PathKind } from '../../sandbox/bwrap-line.ts'
import { pathKind as kindThere } from '../../sandbox/guarded-places.ts'

/** If we cannot access the folder, neither can git. */
export function gitPathKind(path: string): PathKind {
  try {
    return kindThere(path)
  } catch {
    return 'absent'
  }
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** The target of `.git`: itself, a link, or a file with `gitdir: …`. */
export function gitDirOf(workTree: string): string | undefined {
  const git = join(workTree, '.git')
  const kind = gitPathKind(git)
  if (kind === 'folder') return git
  if (kind === 'link') return realPath(git)
  const text = kind === 'file' ? readSmallText(git) : undefined
  return text?.startsWith('gitdir: ') === true ? resolve(workTree, withoutLineEnd(text.slice(8))) : undefined
}

/** The repository of a linked work tree. */
export function commonDirOf(gitDir: string): string | undefined {
  const text = readSmallText(join(gitDir, 'commondir'))
  return text === undefined || text === '' ? undefined : resolve(gitDir, withoutLineEnd(text))
}

/** As git does it: a trailing space is part of the name. */
function withoutLineEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--
  return text.slice(0, end)
}
