/**
 * By how much folders have grown since a command was started in them, as well as that can be told without a quota.
 *
 * Walking through a large folder is dear, looking at the free space of its file system costs nothing. So the folder is
 * walked through only when the file system fills up by as much as the command may still write, and now and then in a
 * long run, since others may free as much as the command takes. Whoever else fills the file system makes us walk, and
 * no more: what counts is then found in the folder, unless that cannot be read to its end.
 *
 * Not told apart: what others write into the same folders at the same time. Not seen: deleted files that are mapped
 * into memory but no longer open.
 */

import { statfsSync, statSync } from 'node:fs'

import { measureFolders, smallestEntry, type FolderSize } from './folder-size.ts'
import { processesBelow } from './process-tree.ts'

export interface DiskMeter {
  /** Bytes, less than none where the folders shrank. `pid` is the command; what it holds open counts too. Never rejects. */
  grown(pid: number, signal: AbortSignal): Promise<number>
}

/** What is looked at, for tests to replace. */
export interface DiskView {
  /** Milliseconds, from whenever. */
  readonly now: () => number
  /** Bytes in use on the file system of the folder, by anybody. */
  readonly used: (folder: string) => number
  readonly measure: typeof measureFolders
}

const realView: DiskView = { now: () => performance.now(), used: usedAround, measure: measureFolders }

/** A command that runs as long as that is worth a walk, and then another one from time to time. */
const firstWalkMs = 5000
const laterWalkMs = 15_000
/** Walks take at most this part of the time, whoever fills the disk. */
const share = 5

/** The times of files lag behind the clock by up to a tick of the kernel. */
const clockSlackMs = 100

export function createDiskMeter(
  folders: readonly string[],
  limitBytes: number,
  view: DiskView = realView,
): DiskMeter {
  const meters = [...byFileSystem(outermost(folders))].map(([device, each]) =>
    meterFileSystem(device, each, limitBytes, view),
  )
  return {
    async grown(pid, signal) {
      let sum = 0
      for (const grown of meters) sum += await grown(pid, signal)
      return sum
    },
  }
}

/** What was known when the folders were last walked through. */
interface Known {
  readonly grown: number
  readonly used: number
  readonly at: number
  readonly tookMs: number
  /** Of all there is in the folders; undefined where that could not be told. */
  readonly bytes: number | undefined
}

function meterFileSystem(
  device: number,
  folders: readonly [string, ...string[]],
  limitBytes: number,
  { now, used, measure }: DiskView,
): DiskMeter['grown'] {
  const since = Date.now() - clockSlackMs
  const usedAtFirst = used(folders[0])
  let known: Known = { grown: 0, used: usedAtFirst, at: now(), tookMs: 0, bytes: undefined }
  let walks = 0

  return async (pid, signal) => {
    const usedBefore = used(folders[0])
    const idleMs = now() - known.at
    const mayBeTooMuch = known.grown + usedBefore - known.used > limitBytes
    const isDue = idleMs >= (walks === 0 ? firstWalkMs : laterWalkMs)
    if ((!mayBeTooMuch && !isDue) || idleMs < known.tookMs * share) return known.grown

    const began = now()
    const size = await measure(folders, { device, since, holders: processesBelow(pid), signal })
    if (size === undefined) return known.grown
    walks++
    known = {
      grown: growth(size, known, used(folders[0]) - usedAtFirst),
      used: usedBefore,
      at: now(),
      tookMs: now() - began,
      bytes: size.complete ? size.bytes : undefined,
    }
    return known.grown
  }
}

/**
 * Two walks tell it exactly. The first has nothing to compare with: it is then no more than the file system filled up,
 * and no more than everything that changed. What cannot be walked through leaves only the file system.
 */
function growth(size: FolderSize, before: Known, filledBytes: number): number {
  if (!size.complete) return filledBytes
  if (before.bytes !== undefined) return before.grown + size.bytes - before.bytes
  return Math.min(filledBytes, size.changedBytes)
}

function usedAround(folder: string): number {
  try {
    const { blocks, bfree, bsize, files, ffree } = statfsSync(folder)
    return (blocks - bfree) * bsize + (files - ffree) * smallestEntry
  } catch {
    // The folder is gone, and with it what it took.
    return 0
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
