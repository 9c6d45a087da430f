/**
 * Guarded paths that do not exist cannot be made read-only, so they are watched: whatever a command puts there is moved
 * aside at once, under a name that means nothing to other programs. Nothing is deleted.
 */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  watch,
  type FSWatcher,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { parentsBetween, type PathKind } from './bwrap-line.ts'

export interface MovedAside {
  readonly path: string
  readonly to: string
}

export interface Guard {
  /** Looks one last time, and tells what was moved. */
  end(): MovedAside[]
}

export function kindOf(path: string): PathKind {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'absent'
  return found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file'
}

/** More often than by mistake. */
const mostMoves = 20

/** `roots` are the writable folders, links resolved; `guarded` lie below them. `onStubborn`: it does not give up. */
export function guardAbsent(
  roots: readonly string[],
  guarded: readonly string[],
  onStubborn: () => void,
): Guard {
  const moved: MovedAside[] = []
  const targets = guarded.flatMap((path) => {
    const root = roots.find((folder) => path.startsWith(`${folder}/`))
    const kind = kindOf(path)
    if (root === undefined || kind === 'file' || kind === 'folder') return []
    // A link cannot be mounted over, so it is put back where it was.
    return [{ root, path, ...(kind === 'link' && { link: readlinkSync(path) }) }]
  })
  const parents = new Set(targets.flatMap(({ root, path }) => [root, ...parentsBetween(root, path)]))
  const watched = new Map<string, FSWatcher>()
  const look = (): void => {
    for (const target of targets) moved.push(...clear(target))
    if (moved.length > mostMoves) onStubborn()
    // A folder that was not there before may be the place of the next one.
    for (const folder of parents) watchFolder(folder)
  }
  const watchFolder = (folder: string): void => {
    if (watched.has(folder)) return
    try {
      const watcher = watch(folder, { persistent: false }, look)
      const forget = (): void => void (watched.delete(folder) && watcher.close())
      watcher.on('error', forget)
      watcher.on('change', (event) => event === 'rename' && kindOf(folder) === 'absent' && forget())
      watched.set(folder, watcher)
    } catch {
      // Not there yet; its own parent is watched.
    }
  }
  look()
  return {
    end() {
      for (const target of targets) moved.push(...clear(target))
      for (const watcher of watched.values()) watcher.close()
      watched.clear()
      return moved
    },
  }
}

interface Target {
  readonly root: string
  readonly path: string
  /** Where it leads, for a link that was there before. */
  readonly link?: string
}

/** Moves away what took the place of a guarded path, or of a folder above it that is none any more. */
function clear({ root, path, link }: Target): MovedAside[] {
  const steps = [...parentsBetween(root, path), path]
  for (const step of steps) {
    const kind = kindOf(step)
    if (kind === 'absent') return []
    const isParent = step !== path
    if (isParent && kind === 'folder') continue
    if (!isParent && kind === 'link' && link !== undefined && linkTarget(step) === link) return []
    const to = `${step}.blocked-${randomBytes(4).toString('hex')}`
    if (!renameBeside(step, to)) return []
    if (!isParent && link !== undefined) symlinkSync(link, step)
    return [{ path: step, to }]
  }
  return []
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Through the folder as it was opened and found to be the right one: its name may lead elsewhere by now. */
function renameBeside(from: string, to: string): boolean {
  const parent = dirname(from)
  let folder: number | undefined
  try {
    folder = openSync(parent, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    const place = `/proc/self/fd/${folder}`
    if (readlinkSync(place) !== parent) return false
    renameSync(join(place, basename(from)), join(place, basename(to)))
    return true
  } catch {
    // Gone again, or not ours to move: the last look decides.
    return false
  } finally {
    if (folder !== undefined) closeSync(folder)
  }
}
