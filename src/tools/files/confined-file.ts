/**
 * Opens files so that the file checked is the file used. A path guarantees nothing: anyone who can write in the
 * workspace can redirect it between check and use. So the file is opened first, without touching its content, then the
 * kernel is asked for its path, and from then on only the descriptor is used.
 */

import {
  closeSync,
  constants,
  fstatSync,
  open as openWithCallback,
  openSync,
  read as readWithCallback,
  readlinkSync,
  type Stats,
} from 'node:fs'
import { promisify } from 'node:util'

import { ContextdError } from '../../core/errors/errors.ts'
import { systemErrorCode } from '@contextd/shared/files/error-code'
import { O_PATH } from '../../sandbox/open-flags.ts'
import type { FileAction } from './path-grants.ts'

export const open = promisify(openWithCallback)
const readFrom = promisify(readWithCallback)

/** The file access of one caller. Paths must be absolute with links resolved. */
export interface FileAccess {
  readonly agent: string
  readonly workspace: string
  mayRead(path: string): boolean
  mayWrite(path: string): boolean
  /** Why a granted path may still not be written; undefined if it may. */
  whyProtected(path: string): string | undefined
}

/** An opened path, and its real path at that time. The owner must close it. */
export interface OpenedPlace {
  readonly descriptor: number
  readonly path: string
  readonly stat: Stats
}

/** An open file for reading. */
export interface ReadableFile {
  readonly path: string
  readonly stat: Stats
  readonly descriptor: number
  /** Shorter at the end of the file. */
  read(offset: number, length: number): Promise<Buffer>
  close(): void
}

/** The same for missing and for ungranted paths: the caller must not learn what else exists on the machine. */
export function notGranted({ agent, workspace }: FileAccess, action: FileAction): ContextdError {
  const hint = `Check the path: it is relative to the workspace, ${workspace}. Other paths must be granted by the user, under \`allow.capabilities\` of the agent.`
  return new ContextdError('PATH_NOT_GRANTED', { agent, action, hint })
}

export function unsuitable(problem: string, hint?: string): ContextdError {
  return new ContextdError('FILE_UNSUITABLE', { problem, hint })
}

/** Refers to the opened file or folder, whatever its name refers to by now. */
export function descriptorPath(descriptor: number, name?: string): string {
  return `/proc/self/fd/${descriptor}${name === undefined ? '' : `/${name}`}`
}

/** Opens a path, following links; undefined if it does not exist or cannot be accessed. */
export async function find(path: string, flags = 0): Promise<OpenedPlace | undefined> {
  let descriptor: number
  try {
    descriptor = await open(path, O_PATH | flags)
  } catch {
    return undefined
  }
  try {
    const real = realPath(descriptor)
    if (real !== undefined) return { descriptor, path: real, stat: fstatSync(descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  closeSync(descriptor)
  return undefined
}

/** The current path; undefined if it was deleted, or its name is not text. */
function realPath(descriptor: number): string | undefined {
  let path: string
  try {
    path = readlinkSync(descriptorPath(descriptor))
  } catch {
    throw unsuitable('cannot be checked: this system has no /proc to get the path of an open file from')
  }
  const isPlace = path.startsWith('/') && !path.endsWith(' (deleted)') && !path.includes('\uFFFD')
  return isPlace ? path : undefined
}

/** Throws unless it is a regular file. */
export function requireRegular(
  stat: Stats,
  aboutFolders = 'List it with safe_bash, for example `ls -la`.',
): void {
  if (stat.isDirectory()) throw unsuitable('is a directory', aboutFolders)
  if (!stat.isFile()) throw unsuitable('is not a regular file')
}

/**
 * Hard-linked files are read like others: package managers create them, and neither a sandbox nor a repository can
 * create a hard link to a file outside.
 */
export async function openForRead(path: string, access: FileAccess): Promise<ReadableFile> {
  const found = await find(path)
  if (found === undefined) throw notGranted(access, 'read')
  try {
    if (!access.mayRead(found.path)) throw notGranted(access, 'read')
    requireRegular(found.stat)
    return openFound(found)
  } finally {
    closeSync(found.descriptor)
  }
}

/** Opens the found file for reading, without another lookup and without blocking. */
export function openFound({ descriptor: place, path, stat }: OpenedPlace): ReadableFile {
  let descriptor: number
  try {
    descriptor = openSync(
      descriptorPath(place),
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    )
  } catch (error) {
    throw unsuitable(`cannot be opened (${systemErrorCode(error)})`)
  }
  return {
    path,
    stat,
    descriptor,
    async read(offset, length) {
      const buffer = Buffer.allocUnsafe(length)
      let filled = 0
      while (filled < length) {
        const count = await readSome(descriptor, buffer, filled, offset + filled)
        if (count === 0) break
        filled += count
      }
      return buffer.subarray(0, filled)
    },
    close: () => closeSync(descriptor),
  }
}

async function readSome(descriptor: number, buffer: Buffer, filled: number, from: number): Promise<number> {
  try {
    return (await readFrom(descriptor, buffer, filled, buffer.length - filled, from)).bytesRead
  } catch (error) {
    throw unsuitable(`cannot be read (${systemErrorCode(error)})`)
  }
}
