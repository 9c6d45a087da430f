/**
 * Measures, without a quota, how many bytes and files folders have gained since a command started in them.
 *
 * Walking a large folder is expensive, reading the free space of its file system is free. So the folder is walked only
 * when the file system fills up by as much as the command may still write, and from time to time in a long run, since
 * others may free as much as the command writes. Other writers on the file system cause walks, but no false result: the
 * walk measures the folder itself, unless it cannot be completed. Some file systems (btrfs) do not report their number
 * of files: there, walks are more frequent.
 *
 * Writes of others to the same folders are included. Deleted files that are mapped into memory but no longer open are
 * missed.
 */

import { statfsSync, statSync } from 'node:fs'

import { measureFolders, minEntryBytes, type DiskAmount, type FolderSize } from './folder-size.ts'
import { processesBelow } from './process-tree.ts'

export interface DiskMeter {
  /** Negative if the folders shrank. `pid` is the command; files it holds open are included. Never rejects. */
  grown(pid: number, signal: AbortSignal): Promise<DiskAmount>
}

/** The usage of a file system by everyone; the number of files is undefined if the file system does not report it. */
export interface DiskUse {
  readonly bytes: number
  readonly files: number | undefined
}

/** Replaced in tests. */
export interface DiskView {
  /** Milliseconds, from any starting point. */
  readonly now: () => number
  /** For the file system of the folder. */
  readonly used: (folder: string) => DiskUse
  readonly measure: typeof measureFolders
}

const realView: DiskView = { now: () => performance.now(), used: usedAround, measure: measureFolders }

/** A command that runs this long is worth a walk, and more walks from time to time. */
const firstWalkMs = 5000
const laterWalkMs = 15_000
/** Used if nothing else reports that files are created. */
const blindWalkMs = 2000
/** Walks use at most a fifth of the time, whichever process fills the disk. */
const maxShareDivisor = 5

/** File times lag behind the clock by up to one kernel tick. */
const clockSlackMs = 100

export function createDiskMeter(
  folders: readonly string[],
  limit: DiskAmount,
  view: DiskView = realView,
): DiskMeter {
  const meters = [...byFileSystem(outermost(folders))].map(([device, each]) =>
    meterFileSystem(device, each, limit, view),
  )
  return {
    async grown(pid, signal) {
      let sum = nothing
      for (const meter of meters) {
        const { bytes, files } = await meter(pid, signal)
        sum = { bytes: sum.bytes + bytes, files: sum.files + files }
      }
      return sum
    },
  }
}

const nothing: DiskAmount = { bytes: 0, files: 0 }

/** The result of the last walk. */
interface Known {
  readonly grown: DiskAmount
  readonly used: DiskUse
  readonly at: number
  readonly tookMs: number
  /** The total in the folders; undefined if it could not be determined. */
  readonly all: DiskAmount | undefined
}

function meterFileSystem(
  device: number,
  folders: readonly [string, ...string[]],
  limit: DiskAmount,
  { now, used, measure }: DiskView,
): DiskMeter['grown'] {
  const began = Date.now() - clockSlackMs
  const usedAtFirst = used(folders[0])
  let known: Known = { grown: nothing, used: usedAtFirst, at: now(), tookMs: 0, all: undefined }
  let walks = 0

  return async (pid, signal) => {
    const usedBefore = used(folders[0])
    const idleMs = now() - known.at
    const since = filledBy(usedBefore, known.used)
    const mayBeTooMuch =
      known.grown.bytes + since.bytes > limit.bytes || known.grown.files + (since.files ?? 0) > limit.files
    const pauseMs = walks === 0 ? firstWalkMs : laterWalkMs
    const isDue = idleMs >= (since.files === undefined ? blindWalkMs : pauseMs)
    if ((!mayBeTooMuch && !isDue) || idleMs < known.tookMs * maxShareDivisor) return known.grown

    const walkBegan = now()
    const size = await measure(folders, { device, since: began, holders: processesBelow(pid), signal })
    if (size === undefined) return known.grown
    walks++
    known = {
      grown: growth(size, known, filledBy(used(folders[0]), usedAtFirst)),
      used: usedBefore,
      at: now(),
      tookMs: now() - walkBegan,
      all: size.complete ? size.all : undefined,
    }
    return known.grown
  }
}

/**
 * The difference of two walks is exact. With only one walk, growth is at most what the file system gained, and at most
 * everything that changed. Without a complete walk only the file system's figure is known.
 */
function growth({ all, recent, complete }: FolderSize, before: Known, filled: DiskUse): DiskAmount {
  const of = (what: keyof DiskAmount): number => {
    const limited = filled[what] ?? recent[what]
    if (!complete) return limited
    if (before.all !== undefined) return before.grown[what] + all[what] - before.all[what]
    return Math.min(limited, recent[what])
  }
  return { bytes: of('bytes'), files: of('files') }
}

function filledBy(now: DiskUse, before: DiskUse): DiskUse {
  const isCounted = now.files !== undefined && before.files !== undefined
  return { bytes: now.bytes - before.bytes, files: isCounted ? now.files - before.files : undefined }
}

function usedAround(folder: string): DiskUse {
  try {
    const { blocks, bfree, bsize, files, ffree } = statfsSync(folder)
    return {
      bytes: (blocks - bfree) * bsize + (files - ffree) * minEntryBytes,
      files: files > 0 ? files - ffree : undefined,
    }
  } catch {
    // The folder was deleted, and its content with it.
    return nothing
  }
}

function outermost(folders: readonly string[]): string[] {
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
}

function byFileSystem(folders: readonly string[]): Map<number, [string, ...string[]]> {
  const found = new Map<number, [string, ...string[]]>()
  for (const folder of new Set(folders)) {
    const device = deviceOf(folder)
    if (device === undefined) continue
    const others = found.get(device)
    if (others === undefined) found.set(device, [folder])
    else others.push(folder)
  }
  return found
}

function deviceOf(folder: string): number | undefined {
  try {
    return statSync(folder).dev
  } catch {
    // A folder that cannot be reached cannot be written to.
    return undefined
  }
}
