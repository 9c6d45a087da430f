/**
 * Reads a file so that the file checked is the file read: it is opened first, and every check uses the open descriptor.
 */

import { constants } from 'node:fs'
import { open, readlink, realpath, stat as statOf, type FileHandle } from 'node:fs/promises'

export type BoundedRead =
  | {
      readonly kind: 'file'
      readonly bytes: Buffer
      /** The path of the opened file, links resolved. */
      readonly realPath: string
      readonly uid: number
      readonly mode: number
    }
  | {
      readonly kind: 'missing' | 'unreadable' | 'unsuitable'
      /** `is not a regular file` */
      readonly why: string
    }

const missing: BoundedRead = { kind: 'missing', why: 'is not there' }

/** A pipe or device in its place is reported and never blocks us. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

export async function readBounded(path: string, maxBytes: number): Promise<BoundedRead> {
  let file: FileHandle
  try {
    file = await open(path, flags)
  } catch (error) {
    return failed(error)
  }
  try {
    const found = await file.stat({ bigint: true })
    if (!found.isFile()) return { kind: 'unsuitable', why: 'is not a regular file' }
    const realPath = await placeOf(file, path)
    if (realPath === undefined) return missing
    const bytes = await readAtMost(file, maxBytes + 1)
    if (bytes.length > maxBytes) return { kind: 'unsuitable', why: `is larger than ${maxBytes / 1024} KB` }
    return { kind: 'file', bytes, realPath, uid: Number(found.uid), mode: Number(found.mode) & 0o777 }
  } catch (error) {
    return failed(error)
  } finally {
    await file.close()
  }
}

function failed(error: unknown): BoundedRead {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return missing
  return { kind: 'unreadable', why: `cannot be read (${code})` }
}

/** Even if the file has grown. */
async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(maxBytes)
  let length = 0
  for (let read = -1; read !== 0 && length < maxBytes; length += read) {
    read = (await file.read(buffer, length, maxBytes - length, length)).bytesRead
  }
  return buffer.subarray(0, length)
}

/** Undefined if the file was deleted, or the path refers to another file by now. */
async function placeOf(file: FileHandle, path: string): Promise<string | undefined> {
  let place: string
  try {
    place = await readlink(`/proc/self/fd/${file.fd}`)
  } catch {
    return placeByName(file, path)
  }
  return place.startsWith('/') && !place.endsWith(' (deleted)') ? place : undefined
}

/** For kernels that do not report the path of an open file: by name, if it is still the same file. */
async function placeByName(file: FileHandle, path: string): Promise<string | undefined> {
  const place = await realpath(path)
  const [opened, named] = await Promise.all([file.stat({ bigint: true }), statOf(place, { bigint: true })])
  return opened.dev === named.dev && opened.ino === named.ino ? place : undefined
}
