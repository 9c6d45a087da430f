import { lstatSync, opendirSync, statSync, type Dir, type Stats } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { namesIn } from '@contextd/shared/files/names-in'

/** The minimum charged for an entry: even an empty file occupies the file system. */
export const minEntryBytes = 4096

/** File system usage: bytes and inodes. */
export interface DiskAmount {
  readonly bytes: number
  /** Includes folders, links and the like. */
  readonly files: number
}

export interface FolderSize {
  readonly all: DiskAmount
  /** Bytes of entries created or changed since then, whatever their size before; the number of those created. */
  readonly recent: DiskAmount
  /** False if a part could not be read, so that there may be more. */
  readonly complete: boolean
}

export interface MeasureOptions {
  /** Other file systems are skipped. */
  readonly device: number
  /** Epoch milliseconds. */
  readonly since: number
  /** Processes whose deleted but open files are included: those occupy space until they are closed. */
  readonly holders: readonly number[]
  readonly signal: AbortSignal
  readonly maxEntries?: number
}

const maxEntries = 500_000

/** Works for a moment and pauses for two, so that the rest of this process is not blocked. */
const workMs = 4
const restMs = 8

/** The usage below the folders. Does not follow links, counts hard links once. Undefined if aborted. */
export async function measureFolders(
  folders: readonly string[],
  { device, since, holders, signal, maxEntries: limit = maxEntries }: MeasureOptions,
): Promise<FolderSize | undefined> {
  const all = { bytes: 0, files: 0 }
  const recent = { bytes: 0, files: 0 }
  let complete = true
  let entries = 0
  const linked = new Set<number>()
  const count = (stats: Stats): void => {
    if (stats.nlink !== 1 && !stats.isDirectory()) {
      if (linked.has(stats.ino)) return
      linked.add(stats.ino)
    }
    const size = Math.max(stats.blocks * 512, minEntryBytes)
    all.bytes += size
    all.files++
    if (stats.ctimeMs >= since) recent.bytes += size
    if (createdAt(stats) >= since) recent.files++
  }

  let restAt = performance.now() + workMs
  const rest = async (): Promise<void> => {
    await sleep(restMs, undefined, { ref: false })
    restAt = performance.now() + workMs
  }

  // Names are bytes in the kernel: decoded as UTF-8, some could not be opened again.
  const waiting: string[] = []
  const visit = (path: string): void => {
    const stats = statOf(path)
    if (stats === 'unreadable') complete = false
    else if (stats !== 'gone' && stats.dev === device) {
      count(stats)
      if (stats.isDirectory()) waiting.push(path)
    }
  }
  for (const folder of folders) visit(Buffer.from(folder).toString('latin1'))
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const names = openFolder(folder)
    if (names === undefined) {
      complete = false
      continue
    }
    try {
      for (let entry = names.readSync(); entry !== null; entry = names.readSync()) {
        if (++entries > limit) return { all, recent, complete: false }
        if (performance.now() > restAt) await rest()
        if (signal.aborted) return undefined
        visit(`${folder}/${entry.name}`)
      }
    } catch {
      complete = false
    } finally {
      names.closeSync()
    }
  }
  for (const stats of openFilesOf(holders)) {
    if (performance.now() > restAt) await rest()
    if (signal.aborted) return undefined
    if (stats.dev === device && stats.nlink === 0 && stats.isFile()) count(stats)
  }
  return { all, recent, complete }
}

/** File systems without creation times: it was created at the time of its last change, at the latest. */
function createdAt({ birthtimeMs, ctimeMs }: Stats): number {
  return birthtimeMs > 0 ? birthtimeMs : ctimeMs
}

function openFolder(folder: string): Dir | undefined {
  try {
    return opendirSync(Buffer.from(folder, 'latin1'), { encoding: 'latin1', bufferSize: 256 })
  } catch {
    // Unreadable, moved, or its path is too long.
    return undefined
  }
}

function statOf(path: string): Stats | 'gone' | 'unreadable' {
  try {
    return lstatSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false }) ?? 'gone'
  } catch {
    return 'unreadable'
  }
}

function* openFilesOf(pids: readonly number[]): Generator<Stats> {
  for (const pid of pids) {
    for (const file of namesIn(`/proc/${pid}/fd`)) {
      try {
        yield statSync(`/proc/${pid}/fd/${file}`)
      } catch {
        // Closed in the meantime.
      }
    }
  }
}
