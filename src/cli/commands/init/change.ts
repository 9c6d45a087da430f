/** Changes to files, all or none of them. */

import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

import { linkedTools } from '../../../clients/tool-links/tools.ts'
import { ContextdError } from '../../../core/errors.ts'
import { readSmallFile, replaceFile } from '../../../platform/small-file.ts'

export interface FileChange {
  readonly path: string
  /** Undefined where there is no file. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** It is about a link: the texts say where it leads. */
  readonly isLink?: true
  /** Only this user may read it. */
  readonly isPrivate?: true
}

/** What is there now, of a file its text and of a link where it leads. Undefined where there is nothing. */
export function readNow(
  { path, isLink }: Pick<FileChange, 'path' | 'isLink'>,
  root?: string,
): string | undefined {
  if (isLink !== true) return readFileText(path, root)
  if (root !== undefined) refuseLinks(dirname(path), root)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isSymbolicLink()) throw unusable(path, 'is there already, and is no link')
  return readlinkSync(path)
}

/** The text of a file; undefined where there is none. Throws where it is not one that we would change. `root`: the project it is in. */
export function readFileText(path: string, root?: string): string | undefined {
  if (root !== undefined) refuseLinks(path, root)
  const read = readSmallFile(path)
  if (read.kind === 'missing') return undefined
  if (read.kind === 'unreadable') throw unusable(path, read.why)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes)
  } catch {
    throw unusable(path, 'is not UTF-8 text')
  }
}

/** A project could have what is written into it end up in a file of the person. */
function refuseLinks(path: string, root: string): void {
  const steps = relative(root, path).split(sep)
  for (const [index] of steps.entries()) {
    const place = join(root, ...steps.slice(0, index + 1))
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (stats === undefined) return
    if (stats.isSymbolicLink()) throw unusable(place, 'is a link, and is not written to')
    if (place !== path && !stats.isDirectory()) throw unusable(place, 'is not a folder')
  }
}

/** Throws where the change could not be made, before any is. */
export function checkWritable({ path, isLink }: FileChange): void {
  const stats = isLink === true ? undefined : statSync(path, { throwIfNoEntry: false })
  // A file without any right to write is meant to stay, also where the folder would let us replace it.
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw unusable(path, 'is read-only')
  let folder = dirname(path)
  while (statOf(folder) === undefined) folder = dirname(folder)
  if (!statOf(folder)?.isDirectory()) throw unusable(folder, 'is not a folder')
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw unusable(folder, 'cannot be written to')
  }
}

function statOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Something above it is a file: that is for the next step up to find.
    return undefined
  }
}

/** Makes every change, or puts back those that were made and throws. */
export function makeChanges(changes: readonly FileChange[], root?: string): void {
  for (const change of changes) {
    const { path, from } = change
    if (readNow(change, root) !== from) {
      throw new ContextdError('USAGE', { problem: `${path} was changed meanwhile; nothing was written` })
    }
  }
  const done: FileChange[] = []
  try {
    for (const change of changes) {
      write(change, change.to, root)
      done.push(change)
    }
  } catch (error) {
    const stuck = done.toReversed().filter((change) => !isPutBack(change, root))
    const { code } = error as NodeJS.ErrnoException
    const { path = '' } = changes[done.length] ?? {}
    if (stuck.length > 0) throw halfDone(path, stuck)
    throw code === undefined ? error : unusable(path, `cannot be written (${code})`)
  }
}

function isPutBack(change: FileChange, root: string | undefined): boolean {
  try {
    write(change, change.from, root)
    return true
  } catch {
    return false
  }
}

/** What made a change fail, such as a full disk, can also keep the ones before it from being undone. */
function halfDone(path: string, stuck: readonly FileChange[]): ContextdError {
  return new ContextdError('STORE_UNAVAILABLE', {
    cause: `${path} cannot be written, and what was changed before it could not be put back: ${stuck.map((one) => one.path).join(', ')}`,
    hint: 'Free space where these files are and correct the permissions, then look at each of them.',
  })
}

function write(
  { path, isLink, isPrivate }: FileChange,
  text: string | undefined,
  root: string | undefined,
): void {
  if (text === undefined) {
    rmSync(path, { force: true })
    return removeEmptied(dirname(path))
  }
  const isNew = statSync(path, { throwIfNoEntry: false }) === undefined
  // What a project holds is for everyone who may see the project, as if the person had made it.
  mkdirSync(dirname(path), { recursive: true })
  if (isLink === true) return replaceLink(path, text)
  // Before the text is there.
  if (!isNew && isPrivate === true) chmodSync(path, 0o600)
  replaceFile(path, text)
  if (isNew && root !== undefined && isPrivate !== true) chmodSync(path, 0o666 & ~process.umask())
}

function replaceLink(path: string, target: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  symlinkSync(target, temporary)
  try {
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** The folders that had nothing else in them. */
const emptied = new Set([
  '.claude',
  '.contextd',
  'skills',
  'contextd',
  '.opencode',
  'plugin',
  'tools',
  ...linkedTools.map(({ name }) => name),
])

function removeEmptied(folder: string): void {
  try {
    for (let at = folder; emptied.has(basename(at)); at = dirname(at)) rmdirSync(at)
  } catch {
    // Not empty.
  }
}

export function unusable(path: string, why: string): ContextdError {
  return new ContextdError('CONFIG_INVALID', {
    problem: `${path}: ${why}`,
    file: path,
    hint: 'Nothing was written. Correct that, then run the command again.',
  })
}
