/**
 * Writes files so that nothing outside the granted paths is ever touched, even if folders are moved meanwhile: the
 * folder is opened, its real path is checked, and everything happens through that descriptor.
 */

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync as fsyncWithCallback,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  write as writeWithCallback,
  type BigIntStats,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { systemErrorCode } from '@contextd/shared/files/error-code'
import {
  find,
  notGranted,
  open,
  descriptorPath,
  requireRegular,
  unsuitable,
  type FileAccess,
  type OpenedPlace,
} from './confined-file.ts'
import { newTemporaryName, recordUnfinished } from './unfinished-writes.ts'

const fsync = promisify(fsyncWithCallback)
const writeTo = promisify(writeWithCallback)

/** A file to write, or a path to create one at. */
export interface WriteTarget {
  readonly path: string
  readonly folder: OpenedPlace
  readonly existing?: OpenedPlace
  /** The file's state when it was found; undefined if it did not exist. */
  readonly before: BigIntStats | undefined
  /** Throws if the folder has moved to a place where the file may not be written. */
  checkAgain(): void
  close(): void
}

export async function openForWrite(path: string, access: FileAccess): Promise<WriteTarget> {
  const existing = await find(path)
  if (existing === undefined) return openNew(path, access)
  let folder: OpenedPlace | undefined
  try {
    if (!access.mayWrite(existing.path)) throw notGranted(access, 'write')
    requireRegular(existing.stat, 'Name a file in it.')
    refuseProtected(existing.path, access)
    // A link may lead from an unprotected name to a protected one.
    if (access.mayWrite(path)) refuseProtected(path, access)
    refuseReadOnly(existing)
    folder = await findFolder(dirname(existing.path), dirname(existing.path), access)
    return targetOf(existing.path, folder, access, existing)
  } catch (error) {
    closeSync(existing.descriptor)
    if (folder !== undefined) closeSync(folder.descriptor)
    throw error
  }
}

function targetOf(
  path: string,
  folder: OpenedPlace,
  access: FileAccess,
  existing?: OpenedPlace,
): WriteTarget {
  return {
    path,
    folder,
    ...(existing !== undefined && { existing }),
    before: existing && fstatSync(existing.descriptor, { bigint: true }),
    checkAgain() {
      const now = join(readlinkSync(descriptorPath(folder.descriptor)), basename(path))
      if (!access.mayWrite(now)) throw notGranted(access, 'write')
      refuseProtected(now, access)
    },
    close() {
      closeSync(folder.descriptor)
      if (existing !== undefined) closeSync(existing.descriptor)
    },
  }
}

/** A new file. Its folders are created one by one, each through its checked parent. */
async function openNew(path: string, access: FileAccess): Promise<WriteTarget> {
  const missing: string[] = []
  let folder: OpenedPlace | undefined
  for (let above = path; folder === undefined;) {
    missing.unshift(basename(above))
    above = dirname(above)
    folder = await find(above)
    if (folder === undefined && above === '/') throw notGranted(access, 'write')
  }
  try {
    const target = join(folder.path, ...missing)
    if (!access.mayWrite(target)) throw notGranted(access, 'write')
    refuseProtected(target, access)
    if (access.mayWrite(path)) refuseProtected(path, access)
    if (!folder.stat.isDirectory()) throw unsuitable('is below something that is not a directory')
    for (const name of missing.slice(0, -1)) folder = await makeFolder(folder, name, access)
    // A broken link, or one to a place we may not access.
    if (statIn(folder, basename(target)) !== undefined) throw notGranted(access, 'write')
    return targetOf(target, folder, access)
  } catch (error) {
    closeSync(folder.descriptor)
    throw cannotWrite(error)
  }
}

async function makeFolder(above: OpenedPlace, name: string, access: FileAccess): Promise<OpenedPlace> {
  const place = descriptorPath(above.descriptor, name)
  try {
    mkdirSync(place, 0o755)
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw cannotWrite(error)
  }
  const made = await findFolder(place, join(above.path, name), access)
  closeSync(above.descriptor)
  return made
}

/** Opens the folder and verifies that no other has taken its place. */
async function findFolder(place: string, path: string, access: FileAccess): Promise<OpenedPlace> {
  const folder = await find(place, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (folder?.path === path) return folder
  if (folder !== undefined) closeSync(folder.descriptor)
  throw notGranted(access, 'write')
}

function refuseProtected(path: string, access: FileAccess): void {
  const reason = access.whyProtected(path)
  if (reason !== undefined) throw new ContextdError('PATH_PROTECTED', { reason })
}

/** A file is replaced, not written into, and replacing ignores its write permission. */
function refuseReadOnly({ descriptor }: OpenedPlace): void {
  try {
    accessSync(descriptorPath(descriptor), constants.W_OK)
  } catch (error) {
    throw cannotWrite(error)
  }
}

function cannotWrite(error: unknown): ContextdError {
  return error instanceof CodedError ? error : unsuitable(`cannot be written (${systemErrorCode(error)})`)
}

function statIn({ descriptor }: OpenedPlace, name: string): BigIntStats | undefined {
  return lstatSync(descriptorPath(descriptor, name), { bigint: true, throwIfNoEntry: false })
}

/** Whether the file is unchanged. */
function isSame(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const { dev, ino, size, mtimeNs, ctimeNs } = other
  return (
    one.dev === dev &&
    one.ino === ino &&
    one.size === size &&
    one.mtimeNs === mtimeNs &&
    one.ctimeNs === ctimeNs
  )
}

/**
 * Replaces the file atomically. A file with several hard links gets a separate copy: the others, which may be anywhere,
 * stay as they were. Throws FILE_CHANGED if someone else changed it in the meantime.
 */
export async function replaceTarget(target: WriteTarget, bytes: Uint8Array, notes: string): Promise<void> {
  const { path, folder, existing, before } = target
  const temporary = newTemporaryName()
  const place = descriptorPath(folder.descriptor, temporary)
  const finished = recordUnfinished(notes, join(folder.path, temporary))
  try {
    await writeNew(place, bytes, existing?.stat)
    // None of our code runs between this check and the rename.
    if (!isSame(before, statIn(folder, basename(path)))) throw new ContextdError('FILE_CHANGED')
    // The folder may have been moved to where nobody may write.
    target.checkAgain()
    renameSync(place, descriptorPath(folder.descriptor, basename(path)))
  } catch (error) {
    removeIfThere(place)
    throw cannotWrite(error)
  } finally {
    finished()
  }
}

/** With the mode and owner of the file it replaces. */
async function writeNew(place: string, bytes: Uint8Array, like: Stats | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(place, flags, like === undefined ? 0o644 : 0o600)
  try {
    await writeAll(file, bytes)
    if (like !== undefined) {
      keepOwner(file, like)
      fchmodSync(file, like.mode & 0o777)
    }
    await fsync(file)
  } finally {
    closeSync(file)
  }
}

function keepOwner(file: number, { uid, gid }: Stats): void {
  const now = fstatSync(file)
  if (now.uid === uid && now.gid === gid) return
  try {
    fchownSync(file, uid, gid)
  } catch {
    // Only root can change the owner; anyone who may write here may also own the new file.
  }
}

/**
 * Appends in place: others keep their open log file, concurrent appends are both preserved, and a large file is not
 * copied for one line. All or nothing, unless the machine itself fails in between.
 */
export async function appendToTarget(
  { existing, before }: WriteTarget & { existing: OpenedPlace },
  bytes: Uint8Array,
): Promise<void> {
  // Its other name may be outside the granted paths.
  if (existing.stat.nlink > 1) throw unsuitable('has several names, and would change under all of them')
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOCTTY
  let file: number | undefined
  try {
    file = await open(descriptorPath(existing.descriptor), flags)
    const now = fstatSync(file, { bigint: true })
    if (!isSame(before, now)) throw new ContextdError('FILE_CHANGED')
    const done = { bytes: 0 }
    try {
      await writeAll(file, bytes, done)
    } catch (error) {
      const size = Number(now.size)
      // Must not remove what others appended after it.
      if (fstatSync(file).size === size + done.bytes) ftruncateSync(file, size)
      throw error
    }
    await fsync(file)
  } catch (error) {
    throw cannotWrite(error)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

async function writeAll(file: number, bytes: Uint8Array, done = { bytes: 0 }): Promise<void> {
  while (done.bytes < bytes.length) {
    done.bytes += (await writeTo(file, bytes, done.bytes, bytes.length - done.bytes)).bytesWritten
  }
}

function removeIfThere(place: string): void {
  try {
    unlinkSync(place)
  } catch {
    // It was never created, or already has its final name.
  }
}
