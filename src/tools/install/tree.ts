/** The files of a tool that comes from elsewhere, taken one by one. What could do harm when it is written is refused. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { shownPath } from '@contextd/shared/archives/archive-entry'

import { packageLimits } from '../plugins/package-files.ts'
import { refused } from './problems.ts'

export interface TreeFile {
  /** Below the tool, with `/`. */
  readonly path: string
  readonly bytes: Buffer
  readonly executable: boolean
}

export interface TreeEntry {
  /** As it stands in the archive; that of a folder may end in `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** In bytes, as the archive says. */
  readonly size: number
  /** Permissions, with the bits for other users' rights. */
  readonly mode: number
}

export interface Tree {
  /** To be asked before any byte of it is unpacked. Answers how to hand over the bytes. Throws ARCHIVE_REFUSED. */
  admit(entry: TreeEntry): (bytes: Buffer) => void
  /** All that were taken, by path. */
  files(): TreeFile[]
}

/** The folder that archives put around everything does not count. */
const most = { entries: packageLimits.files + 1, depth: packageLimits.depth + 1, bytes: packageLimits.bytes }
const maxPathLength = 1000
const maxNameLength = 255

/** What is wrong with a path below the tool, to stand behind its name; nothing where it is fine. */
export function pathProblem(path: string): string | undefined {
  if (path === '' || path.startsWith('/')) return 'is no path below the tool'
  if (path.includes('\\')) return 'holds a backslash'
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/u.test(path)) return 'holds characters that no name should'
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    return 'leads out of the tool or in circles'
  // git would take the folder for a repository, and run what its configuration names.
  if (names.some((name) => /^\.git$/i.test(name))) return 'is the inside of a git repository'
  if (
    Buffer.byteLength(path) > maxPathLength ||
    names.some((name) => Buffer.byteLength(name) > maxNameLength)
  )
    return 'has too long a name'
  return names.length > most.depth ? `lies deeper than ${packageLimits.depth} folders` : undefined
}

/** `room`: how many bytes all files together may have. */
export function createTree(room: number = most.bytes): Tree {
  /** By how a file system that knows no case spells it. */
  const taken = new Map<string, { readonly path: string; readonly kind: TreeEntry['kind'] }>()
  const files: TreeFile[] = []
  let left = room

  const take = (path: string, kind: TreeEntry['kind']): void => {
    const key = path.normalize('NFC').toLowerCase()
    const earlier = taken.get(key)
    if (earlier === undefined) {
      taken.set(key, { path, kind })
      if (taken.size > most.entries) throw refused(`there are more than ${packageLimits.files} files`)
    } else if (earlier.kind === 'file' || kind === 'file' || earlier.path !== path) {
      throw refused(`${shownPath(path)} is there twice, or differs from another only in its spelling`)
    }
  }

  return {
    admit({ path: written, kind, size, mode }) {
      // Many programs write `./run.sh`, and `./` for the folder itself.
      const path = written.replace(/^(?:\.\/)+/, '').replace(kind === 'folder' ? /\/$/ : /$^/, '')
      if (kind === 'folder' && (path === '' || path === '.')) return () => {}
      const problem = pathProblem(path)
      if (problem !== undefined) throw refused(`${shownPath(path)} ${problem}`)
      if ((mode & 0o6000) !== 0) throw refused(`${shownPath(path)} would run with the rights of another user`)
      for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
        take(path.slice(0, at), 'folder')
      take(path, kind)
      if (kind === 'folder') return () => {}
      if (size > left) throw refused(packageTooLarge)
      left -= size
      return (bytes) => {
        if (bytes.length !== size) throw refused(`${shownPath(path)} is not as long as it says`)
        files.push({ path, bytes, executable: (mode & 0o111) !== 0 })
      }
    },
    files: () => files.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  }
}

export const maxRatio = 200
export const packageTooLarge = `they are larger than ${packageLimits.bytes / 1_048_576} MB together, or than ${maxRatio} times their archive`

/** Archives and packages mostly hold one folder with everything in it: that folder is the tool. */
export function withoutOuterFolder(files: readonly TreeFile[]): readonly TreeFile[] {
  const [outer = '', ...rest] = files[0]?.path.split('/') ?? []
  const isOuter = rest.length > 0 && files.every(({ path }) => path.startsWith(`${outer}/`))
  return isOuter ? files.map((file) => ({ ...file, path: file.path.slice(outer.length + 1) })) : files
}

/** Into a folder that is empty and that nobody else can enter: nothing in it can be a link. */
export function writeTree(folder: string, files: readonly TreeFile[]): void {
  for (const { path, bytes, executable } of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
    writeFileSync(target, bytes, { flag: 'wx', mode: 0o644 })
    if (executable) chmodSync(target, 0o755)
  }
}
