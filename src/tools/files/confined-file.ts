/**
 * Opens files so that what was checked is what is used. A path says nothing: whoever can write in the workspace can make
 * it lead elsewhere between the check and the use. So the file is opened first, without touching what is in it, the kernel
 * is asked where it lies, and only then it is used, through the descriptor and by no name.
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

/** What one caller may do with files. Paths are absolute and led through no link when they were looked at. */
export interface FileAccess {
  readonly agent: string
  readonly workspace: string
  mayRead(path: string): boolean
  mayWrite(path: string): boolean
  /** Why it is not written although it may be; undefined where nothing speaks against it. */
  whyProtected(path: string): string | undefined
}

/** A place that was opened, and where it lay then. Whoever has it closes it. */
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
  /** What there is of this stretch. */
  read(offset: number, length: number): Promise<Buffer>
  close(): void
}

/** The same for what is missing and for what lies elsewhere: nobody learns here what else there is on the machine. */
export function notGranted({ agent, workspace }: FileAccess, action: FileAction): ContextdError {
  const hint = `Check the path: it is seen from the workspace, ${workspace}. What lies elsewhere must be granted by the person, under \`allow.capabilities\` of the agent.`
  return new ContextdError('PATH_NOT_GRANTED', { agent, action, hint })
}

export function unsuitable(problem: string, hint?: string): ContextdError {
  return new ContextdError('FILE_UNSUITABLE', { problem, hint })
}

/** Through it the place is used, whatever its name leads to by now. */
export function descriptorPath(descriptor: number, name?: string): string {
  return `/proc/self/fd/${descriptor}${name === undefined ? '' : `/${name}`}`
}

/** Opens a place, following links; undefined where there is none, or none that we may enter. */
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

/** Where it lies now; undefined where it lies nowhere any more, or under a name that is no text. */
function realPath(descriptor: number): string | undefined {
  let path: string
  try {
    path = readlinkSync(descriptorPath(descriptor))
  } catch {
    throw unsuitable('cannot be checked: this system has no /proc that says where an open file lies')
  }
  const isPlace = path.startsWith('/') && !path.endsWith(' (deleted)') && !path.includes('\uFFFD')
  return isPlace ? path : undefined
}

/** Fails unless it is an ordinary file. */
export function requireRegular(
  stat: Stats,
  aboutFolders = 'List it with safe_bash, for example `ls -la`.',
): void {
  if (stat.isDirectory()) throw unsuitable('is a directory', aboutFolders)
  if (!stat.isFile()) throw unsuitable('is not a regular file')
}

/**
 * Files with several names are read like others: package managers make them, and a second name for a file outside can
 * be made neither from inside a sandbox nor by a repository.
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

/** Opens what was found for reading. That is no search any more, and waits for nothing. */
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
