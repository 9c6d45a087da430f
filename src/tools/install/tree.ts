/** Collects the files of an untrusted tool one by one, and refuses everything that could do harm when written. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { shownPath } from '@contextd/shared/archives/archive-entry'

import { packageLimits } from '../plugins/package-files.ts'
import { refused } from './problems.ts'

export interface TreeFile {
  /** Relative to the tool, with `/`. */
  readonly path: string
  readonly bytes: Buffer
  readonly executable: boolean
}

export interface TreeEntry {
  /** As in the archive; a folder may end in `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** In bytes, as declared. */
  readonly size: number
  /** Permissions, including setuid and setgid. */
  readonly mode: number
}

export interface Tree {
  /** Must be called before any byte is unpacked. Returns a function that accepts the bytes. Throws ARCHIVE_REFUSED. */
  admit(entry: TreeEntry): (bytes: Buffer) => void
  /** All admitted files, by path. */
  files(): TreeFile[]
}

/** Excludes the top-level folder that archives add. */
const maxTree = {
  entries: packageLimits.files + 1,
  depth: packageLimits.depth + 1,
  bytes: packageLimits.bytes,
}
const maxPathLength = 1000
const maxNameLength = 255

/** The problem with a path, to follow its name in a message; undefined if it is fine. */
export function pathProblem(path: string): string | undefined {
  if (path === '' || path.startsWith('/')) return 'is not a path inside the tool'
  if (path.includes('\\')) return 'contains a backslash'
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/u.test(path)) return 'contains invisible or control characters'
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    return 'leads out of the tool or contains empty or dot segments'
  // git would treat the folder as a repository and run programs that its configuration names.
  if (names.some((name) => /^\.git$/i.test(name))) return 'is inside a git directory'
  if (
    Buffer.byteLength(path) > maxPathLength ||
    names.some((name) => Buffer.byteLength(name) > maxNameLength)
  )
    return 'has a name that is too long'
  return names.length > maxTree.depth ? `is deeper than ${packageLimits.depth} folders` : undefined
}

/** `room`: the max bytes of all files together. */
export function createTree(room: number = maxTree.bytes): Tree {
  /** By the name as a case-insensitive file system normalises it. */
  const taken = new Map<string, { readonly path: string; readonly kind: TreeEntry['kind'] }>()
  const files: TreeFile[] = []
  let left = room

  const take = (path: string, kind: TreeEntry['kind']): void => {
    const key = path.normalize('NFC').toLowerCase()
    const earlier = taken.get(key)
    if (earlier === undefined) {
      taken.set(key, { path, kind })
      if (taken.size > maxTree.entries) throw refused(`there are more than ${packageLimits.files} files`)
    } else if (earlier.kind === 'file' || kind === 'file' || earlier.path !== path) {
      throw refused(`${shownPath(path)} appears twice, or differs from another only in case or Unicode form`)
    }
  }

  return {
    admit({ path: written, kind, size, mode }) {
      // Many programs write `./run.sh`, and `./` for the folder itself.
      const path = written.replace(/^(?:\.\/)+/, '').replace(kind === 'folder' ? /\/$/ : /$^/, '')
      if (kind === 'folder' && (path === '' || path === '.')) return () => {}
      const problem = pathProblem(path)
      if (problem !== undefined) throw refused(`${shownPath(path)} ${problem}`)
      if ((mode & 0o6000) !== 0)
        throw refused(`${shownPath(path)} would run with the privileges of another user`)
      for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
        take(path.slice(0, at), 'folder')
      take(path, kind)
      if (kind === 'folder') return () => {}
      if (size > left) throw refused(packageTooLarge)
      left -= size
      return (bytes) => {
        if (bytes.length !== size) throw refused(`${shownPath(path)} does not have the declared size`)
        files.push({ path, bytes, executable: (mode & 0o111) !== 0 })
      }
    },
    files: () => files.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  }
}

export const maxRatio = 200
export const packageTooLarge = `they are larger than ${packageLimits.bytes / 1_048_576} MB together, or than ${maxRatio} times their archive`

/** Archives and packages usually contain a single folder: that folder is the tool. */
export function withoutOuterFolder(files: readonly TreeFile[]): readonly TreeFile[] {
  const [outer = '', ...rest] = files[0]?.path.split('/') ?? []
  const isOuter = rest.length > 0 && files.every(({ path }) => path.startsWith(`${outer}/`))
  return isOuter ? files.map((file) => ({ ...file, path: file.path.slice(outer.length + 1) })) : files
}

/** The folder must be empty and private: then nothing in it can be a link. */
export function writeTree(folder: string, files: readonly TreeFile[]): void {
  for (const { path, bytes, executable } of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
    writeFileSync(target, bytes, { flag: 'wx', mode: 0o644 })
    if (executable) chmodSync(target, 0o755)
  }
}
