/**
 * Files of configuration that are followed while we run. They are looked at, not watched: a look at a few paths costs
 * microseconds and sees every way of saving a file on every file system.
 */

import { statSync } from 'node:fs'

import { readSmallFile } from '@contextd/shared/files/small-file'

/** Whose file it is. A project's counts only once the person has trusted it. */
export type FileRole = 'user' | 'project'

/** True where the person has trusted the file with exactly these bytes. */
export type IsTrusted = (path: string, bytes: Uint8Array) => boolean

export type FilesRead =
  | { readonly kind: 'found'; readonly path: string; readonly bytes: Buffer }
  | { readonly kind: 'unreadable'; readonly path: string; readonly why: string }
  | { readonly kind: 'none' }

/** One or more names of the same file. */
export interface WatchedFiles {
  readonly role: FileRole
  readonly paths: readonly string[]
  /** The first file that counts. One that nobody trusted is passed over as if it were not there. */
  read(): FilesRead
  /** Those passed over when the files were last read. */
  untrusted(): readonly string[]
  /**
   * Whether they should be read again: they changed since, and look as they did at the last look; or one of them became
   * trusted, which needs no change of the file itself.
   */
  hasNews(): boolean
}

export function watchFiles(role: FileRole, paths: readonly string[], isTrusted: IsTrusted): WatchedFiles {
  /** Those that could be read may become trusted as they are. */
  let untrusted: { readonly path: string; readonly bytes?: Uint8Array }[] = []
  /** What the files looked like at the last look, and when they were last read. */
  let seen: string | undefined
  let loaded: string | undefined

  const becameTrusted = (): boolean => {
    try {
      return untrusted.some(({ path, bytes }) => bytes !== undefined && isTrusted(path, bytes))
    } catch {
      return false
    }
  }

  return {
    role,
    paths,
    read() {
      // Taken before reading, so that a change in between is seen by the next look.
      loaded = fingerprint(paths)
      untrusted = []
      for (const path of paths) {
        const read = readSmallFile(path)
        if (read.kind === 'missing') continue
        if (read.kind === 'unreadable') {
          if (role === 'user') return { kind: 'unreadable', path, why: read.why }
          // What cannot be read cannot be trusted either.
          untrusted.push({ path })
          continue
        }
        const { bytes } = read
        if (role === 'user' || isTrusted(path, bytes)) return { kind: 'found', path, bytes }
        untrusted.push({ path, bytes })
      }
      return { kind: 'none' }
    },
    untrusted: () => untrusted.map(({ path }) => path),
    hasNews() {
      const now = fingerprint(paths)
      const settled = now === seen
      seen = now
      return settled && (now !== loaded || becameTrusted())
    },
  }
}

/** Two looks must agree before a file is read, so a change is in force after at most twice this. */
const lookEveryMs = 250

/** Answers how to stop. */
export function pollRegularly(look: () => void): () => void {
  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

function fingerprint(paths: readonly string[]): string {
  return paths.map(identify).join(' ')
}

function identify(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined
      ? '-'
      : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':')
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
