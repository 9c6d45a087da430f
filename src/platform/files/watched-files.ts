/**
 * Configuration files that are followed at run time. They are polled rather than watched: checking a few paths takes
 * microseconds, and works with any editor on any file system.
 */

import { statSync } from 'node:fs'

import { readSmallFile } from '@contextd/shared/files/small-file'

/** The owner of a file. A project's file only applies once the user has trusted it. */
export type FileRole = 'user' | 'project'

/** True if the user has trusted the file with exactly these bytes. */
export type IsTrusted = (path: string, bytes: Uint8Array) => boolean

export type FilesRead =
  | { readonly kind: 'found'; readonly path: string; readonly bytes: Buffer }
  | { readonly kind: 'unreadable'; readonly path: string; readonly why: string }
  | { readonly kind: 'none' }

/** Alternative names of the same file. */
export interface WatchedFiles {
  readonly role: FileRole
  readonly paths: readonly string[]
  /** Reads the first file that applies. Untrusted files are skipped as if they did not exist. */
  read(): FilesRead
  /** Files that the last read skipped. */
  untrusted(): readonly string[]
  /**
   * Whether the files should be read again: they have changed and the change has settled, or one of them became
   * trusted, for which the file itself need not change.
   */
  hasChanged(): boolean
}

export function watchFiles(role: FileRole, paths: readonly string[], isTrusted: IsTrusted): WatchedFiles {
  /** The ones that could be read may become trusted later. */
  let untrusted: { readonly path: string; readonly bytes?: Uint8Array }[] = []
  /** The state of the files at the last check, and when they were last read. */
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
      // Computed before reading, so that the next check notices a change in between.
      loaded = fingerprint(paths)
      untrusted = []
      for (const path of paths) {
        const read = readSmallFile(path)
        if (read.kind === 'missing') continue
        if (read.kind === 'unreadable') {
          if (role === 'user') return { kind: 'unreadable', path, why: read.why }
          // An unreadable file cannot be trusted either.
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
    hasChanged() {
      const now = fingerprint(paths)
      const settled = now === seen
      seen = now
      return settled && (now !== loaded || becameTrusted())
    },
  }
}

/** Two checks must agree before a file is read, so a change takes effect after at most twice this time. */
const pollIntervalMs = 250

/** Returns a function that stops polling. */
export function pollRegularly(check: () => void): () => void {
  const timer = setInterval(check, pollIntervalMs)
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
