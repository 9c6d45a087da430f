/**
 * By how much folders have grown since a command was started in them, in bytes and in files, as well as that can be told
 * without a quota.
 *
 * Walking through a large folder is dear, looking at the free space of its file system costs nothing. So the folder is
 * walked through only when the file system fills up by as much as the command may still write, and now and then in a
 * long run, since others may free as much as the command takes. Whoever else fills the file system makes us walk, and
 * no more: what counts is then found in the folder, unless that cannot be read to its end. Some file systems (btrfs) do
 * not say how many files they have: there walks are more frequent.
 *
 * Not told apart: what others write into the same folders at the same time. Not seen: deleted files that are mapped
 * into memory but no longer open.
 */

import { statfsSync, statSync } from 'node:fs'

import { measureFolders, minEntryBytes, type DiskAmount, type FolderSize } from './folder-size.ts'
import { processesBelow } from './process-tree.ts'

export interface DiskMeter {
  /** Less than none where the folders shrank. `pid` is the command; what it holds open counts too. Never rejects. */
  grown(pid: number, signal: AbortSignal): Promise<DiskAmount>
}

/** What is in use on a file system, by anybody; the number of files is undefined where the file system does not say. */
export interface DiskUse {
  readonly bytes: number
  readonly files: number | undefined
}

/** What is looked at, for tests to replace. */
export interface DiskView {
  /** Milliseconds, from whenever. */
  readonly now: () => number
  /** On the file system of the folder. */
  readonly used: (folder: string) => DiskUse
  readonly measure: typeof measureFolders
}

const realView: DiskView = { now: () => performance.now(), used: usedAround, measure: measureFolders }

/** A command that runs as long as that is worth a walk, and then another one from time to time. */
const firstWalkMs = 5000
const laterWalkMs = 15_000
/** Where nothing else says that files are made. */
const blindWalkMs = 2000
/** Walks take at most this part of the time, whoever fills the disk. */
const share = 5

/** The times of files lag behind the clock by up to a tick of the kernel. */
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

/** What was known when the folders were last walked through. */
interface Known {
  readonly grown: DiskAmount
  readonly used: DiskUse
  readonly at: number
  readonly tookMs: number
  /** Of all there is in the folders; undefined where that could not be told. */
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
    if ((!mayBeTooMuch && !isDue) || idleMs < known.tookMs * share) return known.grown

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
 * Two walks tell it exactly. The first has nothing to compare with: it is then no more than the file system filled up,
 * and no more than everything that changed. What cannot be walked through leaves only the file system.
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
    // The folder is gone, and with it what it took.
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
    // What cannot be reached cannot be written to.
    return undefined
  }
}
