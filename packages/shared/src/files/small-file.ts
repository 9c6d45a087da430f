/** Reads and replaces small files such as configuration. */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const defaultMaxBytes = 1_048_576
const chunkBytes = 65_536

export type FileRead =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }

/**
 * Reads a regular file of at most `maxBytes`. Anything an attacker may put in its place (a pipe, a device, a huge file)
 * is reported and never blocks.
 */
export function readSmallFile(path: string, maxBytes = defaultMaxBytes): FileRead {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A broken link is reported, since someone created it deliberately.
    const isLink = code === 'ENOENT' && lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (isLink) return { kind: 'unreadable', why: 'is a broken link' }
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
    return { kind: 'unreadable', why: `cannot be opened (${code})` }
  }
  try {
    if (!fstatSync(file).isFile()) return { kind: 'unreadable', why: 'is not a regular file' }
    // Read in chunks, because the reported size may be 0 or outdated.
    const chunks: Buffer[] = []
    let length = 0
    for (let read = -1; read !== 0 && length <= maxBytes; length += read) {
      const chunk = Buffer.allocUnsafe(chunkBytes)
      read = readSync(file, chunk, 0, chunkBytes, null)
      chunks.push(chunk.subarray(0, read))
    }
    if (length > maxBytes)
      return { kind: 'unreadable', why: `is larger than ${Math.round(maxBytes / 1e6)} MB` }
    return { kind: 'bytes', bytes: Buffer.concat(chunks, length) }
  } catch (error) {
    // For example special files of the system, or a failing disk.
    return { kind: 'unreadable', why: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  } finally {
    closeSync(file)
  }
}

/** Returns undefined for missing and unreadable files alike. */
export function readSmallText(path: string, maxBytes?: number): string | undefined {
  const read = readSmallFile(path, maxBytes)
  return read.kind === 'bytes' ? read.bytes.toString() : undefined
}

/**
 * Replaces a file atomically, keeping its mode and owner. By default a link is followed; use `replaced` in folders where
 * others may have created links that would redirect the text.
 */
export function replaceFile(path: string, text: string, links: 'kept' | 'replaced' = 'kept'): void {
  const target = links === 'kept' ? followLinks(path) : path
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const before = lstatSync(target, { throwIfNoEntry: false })
  // A rename would silently replace a pipe or a device. For a folder it fails anyway.
  if (before !== undefined && !before.isFile() && !before.isSymbolicLink() && !before.isDirectory())
    throw Object.assign(new Error(`EEXIST: ${target} is not a regular file`), { code: 'EEXIST' })
  const mode = (before?.isFile() === true ? before.mode : 0o600) & 0o777
  // Shortened, because the file's name may already have the maximum length.
  const name = basename(target).slice(0, 48)
  const temporary = join(dirname(target), `${name}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = openSync(temporary, 'wx', mode)
    try {
      if (before?.isFile() === true) keepOwner(file, before)
      // The mode passed to open is restricted by the umask.
      fchmodSync(file, mode)
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Restores the owner if permitted, so that the owner can still read a file that root changes. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  const now = fstatSync(file)
  for (const owner of [uid, now.uid]) {
    if (owner === now.uid && gid === now.gid) return
    try {
      return fchownSync(file, owner, gid)
    } catch {
      // Try the group alone, or give up.
    }
  }
}

function followLinks(path: string): string {
  let target = path
  // The kernel's limit; a cycle ends here and fails when it is opened.
  for (let links = 0; links < 40; links++) {
    try {
      target = resolve(dirname(target), readlinkSync(target))
    } catch {
      return target
    }
  }
  return target
}
