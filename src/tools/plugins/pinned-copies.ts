/**
 * Copies of approved packages, named by their hash, where only contextd writes. What runs is the copy: whatever happens
 * to the package in the project, also between the look at it and the run, nothing but the approved bytes is executed.
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
  /** The folder that holds exactly these files, looked through just now, and made anew where it does not. */
  keep(files: PackageFiles): string
  /** What was approved under this hash; undefined where the copy is gone or was altered. */
  read(sha256: string): readonly PackageFile[] | undefined
  /** Removes the copies that nothing refers to any more, once no run can be left that uses them. */
  prune(used: ReadonlySet<string>): void
}

/** Longer than any call may take. Runs in other processes are not known here, but each notes when it began. */
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
      // Before the look: whoever removes copies from now on leaves this one.
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
        // Another process may have made the same copy meanwhile.
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
    // It is yet to be made.
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

/** What is different from what was approved, a few of it: `run.sh changed`. */
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
