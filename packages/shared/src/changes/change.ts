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

import { CommonError } from '../errors/common-error.ts'
import { readSmallFile, replaceFile } from '../files/small-file.ts'
import { isWithin } from '../files/within.ts'

export interface FileChange {
  readonly path: string
  /** Undefined if there is no file. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** A symbolic link: the texts are its targets. */
  readonly isLink?: true
  /** Readable by this user only. */
  readonly isPrivate?: true
}

/** Current contents: the text of a file or the target of a link. Undefined if there is nothing. */
export function readNow(
  { path, isLink }: Pick<FileChange, 'path' | 'isLink'>,
  root?: string,
): string | undefined {
  if (isLink !== true) return readFileText(path, root)
  if (root !== undefined) refuseLinks(dirname(path), root)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isSymbolicLink()) throw unusable(path, 'already exists, and is not a link')
  return readlinkSync(path)
}

/** Clients store much in one file, such as Claude Code in `~/.claude.json`. */
const maxFileBytes = 16_000_000

/** The text of a file; undefined if it does not exist. Throws if it must not be changed. `root`: its project. */
export function readFileText(path: string, root?: string): string | undefined {
  if (root !== undefined) refuseLinks(path, root)
  const read = readSmallFile(path, maxFileBytes)
  if (read.kind === 'missing') return undefined
  if (read.kind === 'unreadable') throw unusable(path, read.why)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes)
  } catch {
    throw unusable(path, 'is not UTF-8 text')
  }
}

/** Otherwise a project could redirect our writes into one of the user's own files; links between those are the user's. */
function refuseLinks(path: string, root: string): void {
  if (!isWithin(root, path)) return
  const steps = relative(root, path).split(sep)
  for (const [index] of steps.entries()) {
    const place = join(root, ...steps.slice(0, index + 1))
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (stats === undefined) return
    if (stats.isSymbolicLink()) throw unusable(place, 'is a link, and links are not written to')
    if (place !== path && !stats.isDirectory()) throw unusable(place, 'is not a folder')
  }
}

/** Throws if the change could not be made, before any is made. */
export function checkWritable({ path, isLink }: FileChange): void {
  const stats = isLink === true ? undefined : statSync(path, { throwIfNoEntry: false })
  // A read-only file is meant to stay, even if the folder would let us replace it.
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw unusable(path, 'is read-only')
  let folder = dirname(path)
  while (statOf(folder) === undefined) folder = dirname(folder)
  if (!statOf(folder)?.isDirectory()) throw unusable(folder, 'is not a folder')
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw unusable(folder, 'is not writable')
  }
}

function statOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A parent is a file: the check of that parent reports it.
    return undefined
  }
}

/** Makes every change, or rolls back and throws. `emptied`: names of folders that go with their last file. */
export function makeChanges(
  changes: readonly FileChange[],
  root?: string,
  emptied?: ReadonlySet<string>,
): void {
  for (const change of changes) {
    const { path, from } = change
    if (readNow(change, root) !== from) {
      throw new CommonError('USAGE', { problem: `${path} changed in the meantime; nothing was written` })
    }
  }
  const done: FileChange[] = []
  try {
    for (const change of changes) {
      write(change, change.to, root, emptied)
      done.push(change)
    }
  } catch (error) {
    const stuck = done.toReversed().filter((change) => !isPutBack(change, root, emptied))
    const { code } = error as NodeJS.ErrnoException
    const { path = '' } = changes[done.length] ?? {}
    if (stuck.length > 0) throw halfDone(path, stuck)
    throw code === undefined ? error : unusable(path, `cannot be written (${code})`)
  }
}

function isPutBack(
  change: FileChange,
  root: string | undefined,
  emptied: ReadonlySet<string> | undefined,
): boolean {
  try {
    write(change, change.from, root, emptied)
    return true
  } catch {
    return false
  }
}

/** The cause of a failed change, such as a full disk, can also prevent the rollback of earlier ones. */
function halfDone(path: string, stuck: readonly FileChange[]): CommonError {
  return new CommonError('STORE_UNAVAILABLE', {
    cause: `${path} cannot be written, and earlier changes could not be rolled back: ${stuck.map((one) => one.path).join(', ')}`,
    hint: 'Free disk space and correct the permissions, then check each of these files.',
  })
}

function write(
  { path, isLink, isPrivate }: FileChange,
  text: string | undefined,
  root: string | undefined,
  emptied?: ReadonlySet<string>,
): void {
  if (text === undefined) {
    rmSync(path, { force: true })
    return removeEmptied(dirname(path), emptied)
  }
  const isNew = statSync(path, { throwIfNoEntry: false }) === undefined
  // Project files get the usual permissions, as if the user had created them.
  mkdirSync(dirname(path), { recursive: true })
  if (isLink === true) return replaceLink(path, text)
  // Before the text is written.
  if (!isNew && isPrivate === true) chmodSync(path, 0o600)
  replaceFile(path, text)
  if (isNew && root !== undefined && isWithin(root, path) && isPrivate !== true)
    chmodSync(path, 0o666 & ~process.umask())
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

function removeEmptied(folder: string, emptied: ReadonlySet<string> = new Set()): void {
  try {
    for (let at = folder; emptied.has(basename(at)); at = dirname(at)) rmdirSync(at)
  } catch {
    // Not empty.
  }
}

export function unusable(path: string, why: string): CommonError {
  return new CommonError('CONFIG_INVALID', {
    problem: `${path}: ${why}`,
    file: path,
    hint: 'Nothing was written. Fix this, then run the command again.',
  })
}
