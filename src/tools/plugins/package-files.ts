/** The files of a package, read once, so that the same bytes are checked, approved and run. */

import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Dirent,
} from 'node:fs'
import { join } from 'node:path'

export interface PackageFile {
  /** Relative to the package, with `/`. */
  readonly path: string
  readonly bytes: Buffer
  readonly executable: boolean
  readonly sha256: string
}

export interface PackageFiles {
  /** By path. */
  readonly files: readonly PackageFile[]
  /** Over every path, executable flag and byte. */
  readonly sha256: string
  readonly problems: readonly string[]
}

/** A larger package cannot be reviewed by a user. Folders count as files. */
export const packageLimits = { files: 200, bytes: 33_554_432, depth: 8 } as const
const { files: maxFiles, bytes: maxBytes, depth: maxDepth } = packageLimits

/** Reads everything below the folder. Links, devices and the like are problems: their content cannot be pinned. */
export function readPackageFiles(folder: string): PackageFiles {
  const files: PackageFile[] = []
  const problems: string[] = []
  let size = 0
  walkFolder(folder, {
    problem: (path, why) => problems.push(path === '' ? why : `${path}: ${why}`),
    file(path) {
      const read = readFile(join(folder, path), maxBytes - size)
      if (typeof read === 'string') {
        problems.push(`${path}: ${read}`)
        return read !== tooLarge
      }
      size += read.bytes.length
      files.push({ path, ...read, sha256: hashOf(read.bytes) })
      return true
    },
  })
  return { files, sha256: hashFiles(files), problems }
}

/** Changes whenever a file does. Reads only metadata; undefined if the folder does not exist. */
export function fingerprintFolder(folder: string): string | undefined {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined
  const seen: string[] = []
  const look = (path: string): boolean => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false, bigint: true })
    seen.push(
      found === undefined
        ? path
        : [path, found.ino, found.mode, found.size, found.mtimeNs, found.ctimeNs].join(' '),
    )
    return true
  }
  walkFolder(folder, { problem: (path, why) => seen.push(`${path} ${why}`), file: look })
  return seen.join('\n')
}

/** One hash over all files, in the order of their paths, so that the same files always have the same hash. */
export function hashFiles(files: readonly Pick<PackageFile, 'path' | 'executable' | 'sha256'>[]): string {
  const lines = files.map(({ path, executable, sha256 }) => JSON.stringify([path, executable, sha256]))
  return hashOf(lines.join('\n'))
}

function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

interface Visitor {
  /** Returns whether to continue. */
  file(path: string): boolean
  /** An empty path is the package itself. */
  problem(path: string, why: string): unknown
}

function walkFolder(folder: string, visitor: Visitor): void {
  let count = 0
  const walk = (path: string, depth: number): boolean => {
    let entries: Dirent[]
    try {
      if (!lstatSync(join(folder, path)).isDirectory()) throw new Error('ENOTDIR')
      entries = readdirSync(join(folder, path), { withFileTypes: true })
    } catch {
      visitor.problem(path, 'is not a readable folder')
      return true
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      count += 1
      if (count > maxFiles || depth > maxDepth) {
        visitor.problem('', `contains more than ${maxFiles} files, or folders deeper than ${maxDepth}`)
        return false
      }
      if (entry.isDirectory() ? !walk(below, depth + 1) : !visitor.file(below)) return false
    }
    return true
  }
  walk('', 1)
}

const tooLarge = `the package is larger than ${maxBytes / 1_048_576} MB`

/** Does not block on a pipe or follow a link. */
function readFile(path: string, room: number): { bytes: Buffer; executable: boolean } | string {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ELOOP' ? 'is a link; put the file itself there' : `cannot be opened (${code})`
  }
  try {
    const { mode, size } = fstatSync(file)
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) return 'is not a regular file'
    if (size > room) return tooLarge
    const buffer = Buffer.alloc(size + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null)
    }
    if (length > size) return 'is being written'
    return { bytes: buffer.subarray(0, length), executable: (mode & 0o111) !== 0 }
  } finally {
    closeSync(file)
  }
}
