/** Reading and replacing files that people edit by hand. */

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

const LARGEST = 1_048_576
const PIECE = 65_536

export type FileRead =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }

/**
 * Reads a regular file of at most one megabyte, unless said otherwise. What a stranger may put in its place (a pipe, a
 * device, a huge file) is reported, and never makes us wait.
 */
export function readSmallFile(path: string, largest = LARGEST): FileRead {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Whoever put a link there meant something by it.
    const isLink = code === 'ENOENT' && lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (isLink) return { kind: 'unreadable', why: 'is a link to nothing' }
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
    return { kind: 'unreadable', why: `cannot be opened (${code})` }
  }
  try {
    if (!fstatSync(file).isFile()) return { kind: 'unreadable', why: 'is not a regular file' }
    // Piece by piece: what the system says of the size may be 0 or out of date.
    const pieces: Buffer[] = []
    let length = 0
    for (let read = -1; read !== 0 && length <= largest; length += read) {
      const piece = Buffer.allocUnsafe(PIECE)
      read = readSync(file, piece, 0, PIECE, null)
      pieces.push(piece.subarray(0, read))
    }
    if (length > largest) return { kind: 'unreadable', why: `is larger than ${Math.round(largest / 1e6)} MB` }
    return { kind: 'bytes', bytes: Buffer.concat(pieces, length) }
  } catch (error) {
    // Some files of the system look like any other and cannot be read; so can those of a failing disk.
    return { kind: 'unreadable', why: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  } finally {
    closeSync(file)
  }
}

/** For whoever makes no difference between a file that is missing and one that cannot be read. */
export function readSmallText(path: string, largest?: number): string | undefined {
  const read = readSmallFile(path, largest)
  return read.kind === 'bytes' ? read.bytes.toString() : undefined
}

/**
 * Puts the text in the file's place all at once, keeping its mode and owner and, where it is a link, the link: unless the
 * folder is one where others may have put links, so that the text would land where nobody meant it to.
 */
export function replaceFile(path: string, text: string, links: 'kept' | 'replaced' = 'kept'): void {
  const target = links === 'kept' ? followLinks(path) : path
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const before = lstatSync(target, { throwIfNoEntry: false })
  // The system lets a file take the place of a pipe or a device, and nobody means that. Of a folder it does not.
  if (before !== undefined && !before.isFile() && !before.isSymbolicLink() && !before.isDirectory())
    throw Object.assign(new Error(`EEXIST: ${target} is not a regular file`), { code: 'EEXIST' })
  const mode = (before?.isFile() === true ? before.mode : 0o600) & 0o777
  // Not longer than a name may be, where that of the file already is.
  const name = basename(target).slice(0, 48)
  const temporary = join(dirname(target), `${name}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = openSync(temporary, 'wx', mode)
    try {
      if (before?.isFile() === true) keepOwner(file, before)
      // The mode given on opening is cut by the umask.
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

/** As far as the system lets us: what an administrator changes, its owner must still be able to read. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  const now = fstatSync(file)
  for (const owner of [uid, now.uid]) {
    if (owner === now.uid && gid === now.gid) return
    try {
      return fchownSync(file, owner, gid)
    } catch {
      // Then the group alone, or neither.
    }
  }
}

function followLinks(path: string): string {
  let target = path
  // As many as the kernel follows; a circle ends here and fails when it is opened.
  for (let links = 0; links < 40; links++) {
    try {
      target = resolve(dirname(target), readlinkSync(target))
    } catch {
      return target
    }
  }
  return target
}
