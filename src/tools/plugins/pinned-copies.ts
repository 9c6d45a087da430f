/**
 * Copies of approved packages, named by their hash, in a folder where only contextd writes. Calls run the copy:
 * whatever happens to the package in the project, even between check and run, only the approved bytes are executed.
 */

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { readPackageFiles, type PackageFile, type PackageFiles } from './package-files.ts'

export interface PinnedCopies {
  /** The folder with exactly these files, verified now, and recreated if it differs. */
  keep(files: PackageFiles): string
  /** The files approved under this hash; undefined if the copy is missing or was modified. */
  read(sha256: string): readonly PackageFile[] | undefined
  /** Removes unreferenced copies once no run can be using them. */
  prune(used: ReadonlySet<string>): void
}

/** Longer than any call. Runs in other processes are not known here, but each records when it started. */
const graceMs = 2 * 3_600_000

export function createPinnedCopies(folder: string): PinnedCopies {
  const read = (sha256: string): readonly PackageFile[] | undefined => {
    const place = join(folder, sha256)
    if (!existsSync(place)) return undefined
    const found = readPackageFiles(place)
    return found.problems.length === 0 && found.sha256 === sha256 ? found.files : undefined
  }
  return {
    read,
    keep(files) {
      const place = join(folder, files.sha256)
      // Before the check: other processes will not remove this copy from now on.
      noteUse(place)
      if (read(files.sha256) !== undefined) return place
      ensurePrivateFolder(folder)
      const fresh = join(folder, `new-${randomBytes(8).toString('hex')}`)
      try {
        writeFiles(fresh, files.files)
        rmSync(place, { recursive: true, force: true })
        renameSync(fresh, place)
      } catch (error) {
        rmSync(fresh, { recursive: true, force: true })
        // Another process may have created the same copy meanwhile.
        if (read(files.sha256) === undefined) throw error
      }
      return place
    },
    prune(used) {
      if (!existsSync(folder)) return
      for (const name of readdirSync(folder)) {
        const place = join(folder, name)
        if (!used.has(name) && !wasUsedLately(place)) rmSync(place, { recursive: true, force: true })
      }
    },
  }
}

function noteUse(place: string): void {
  const now = new Date()
  try {
    utimesSync(place, now, now)
  } catch {
    // It does not exist yet.
  }
}

function wasUsedLately(place: string): boolean {
  const found = lstatSync(place, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs < graceMs
}

function writeFiles(folder: string, files: readonly PackageFile[]): void {
  mkdirSync(folder, { mode: 0o700 })
  for (const { path, bytes, executable } of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    writeFileSync(target, bytes, { flag: 'wx' })
    chmodSync(target, executable ? 0o500 : 0o400)
  }
}

/** The first few differences from the approved files: `run.sh changed`. */
export function describeCopyChanges(
  approved: readonly PackageFile[] | undefined,
  now: readonly PackageFile[],
): string[] {
  if (approved === undefined) return ['its files']
  const before = new Map(approved.map((file) => [file.path, file]))
  const after = new Map(now.map((file) => [file.path, file]))
  const isSame = (one: PackageFile, other: PackageFile): boolean =>
    one.sha256 === other.sha256 && one.executable === other.executable
  return [
    ...now.flatMap((file) => {
      const earlier = before.get(file.path)
      if (earlier === undefined) return [`${file.path} is new`]
      return isSame(file, earlier) ? [] : [`${file.path} changed`]
    }),
    ...approved.filter(({ path }) => !after.has(path)).map(({ path }) => `${path} is gone`),
  ]
}
