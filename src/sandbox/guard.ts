/**
 * Guarded paths that do not exist cannot be made read-only, so they are watched: whatever a command puts there is moved
 * aside at once, under a name that means nothing to other programs. Nothing is deleted.
 */

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  openSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  watch,
  writeSync,
  type FSWatcher,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { isBelow, parentsBetween } from './bwrap-line.ts'
import { pathKind, watchedFor } from './guarded-places.ts'
import { O_PATH } from './open-flags.ts'

export interface MovedAside {
  readonly path: string
  readonly to: string
}

export interface Guard {
  /** Looks one last time, and tells what was moved. */
  end(): MovedAside[]
}

/** More often than by mistake. */
const maxMoves = 20
/** Between two looks: a command can make changes faster than we look at them, and all else would wait meanwhile. */
const pauseMs = 2

/** `roots` are the writable folders, links resolved; `guarded` lie below them. `onStubborn`: it does not give up. */
export function guardAbsent(
  roots: readonly string[],
  guarded: readonly string[],
  onStubborn: () => void,
): Guard {
  const moved: MovedAside[] = []
  const places = guarded.flatMap((path) => {
    const root = roots.find((folder) => isBelow(path, folder))
    return root === undefined ? [] : [{ root, path, parents: [root, ...parentsBetween(root, path)] }]
  })
  const modes = modesOf(new Set(places.flatMap(({ parents }) => parents)))
  const targets = places.flatMap(({ root, path, parents }) => {
    const known = watchedFor.get(path)
    // What another command put there a moment ago is to go, and was not mounted over.
    if (known !== undefined)
      return [{ root, path, parents, ...(known.link !== undefined && { link: known.link }) }]
    const kind = pathKind(path)
    if (kind === 'file' || kind === 'folder') return []
    // A link cannot be mounted over, so it is put back where it was.
    return [{ root, path, parents, ...(kind === 'link' && { link: readlinkSync(path) }) }]
  })
  for (const { path, link } of targets as readonly Target[]) {
    const known = watchedFor.get(path)
    if (known === undefined) watchedFor.set(path, { guards: 1, ...(link !== undefined && { link }) })
    else known.guards++
  }
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const watched = new Map<string, FSWatcher>()
  const clearAll = (): void => {
    for (const target of targets) moved.push(...clear(target))
  }
  const stopWatching = (): void => {
    for (const watcher of watched.values()) watcher.close()
    watched.clear()
  }
  // Hears of nothing more until then: Node reads changes for as long as there are any, and does nothing else.
  const lookSoon = (): void => {
    stopWatching()
    if (isOver || timer !== undefined) return
    timer = setTimeout(look, pauseMs)
    timer.unref()
  }
  const look = (): void => {
    timer = undefined
    // First, so that nothing is missed in between. A folder that was not there before may be the place of the next one.
    for (const folder of new Set(targets.flatMap(({ parents }) => parents))) watchFolder(folder)
    clearAll()
    if (moved.length > maxMoves) onStubborn()
  }
  const watchFolder = (folder: string): void => {
    if (watched.has(folder)) return
    try {
      const watcher = watch(folder, { persistent: false }, lookSoon)
      watcher.on('error', lookSoon)
      watched.set(folder, watcher)
    } catch {
      // Not there yet; its own parent is watched.
    }
  }
  look()
  return {
    end() {
      if (isOver) return moved
      isOver = true
      clearTimeout(timer)
      stopWatching()
      for (const [folder, mode] of modes) putBack(folder, mode)
      clearAll()
      for (const { path } of targets) {
        const known = watchedFor.get(path)
        if (known !== undefined && --known.guards === 0) watchedFor.delete(path)
      }
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
  try {
    for (const step of [...parentsBetween(root, path), path]) {
      const kind = opened(dirname(step), () => pathKind(step))
      if (kind === 'absent') return []
      const isParent = step !== path
      if (isParent && kind === 'folder') continue
      if (!isParent && kind === 'link' && link !== undefined && readlinkSync(step) === link) return []
      const moved = moveAside(step)
      if (!isParent && link !== undefined) symlinkSync(link, step)
      return [moved]
    }
  } catch {
    // It changes while we look at it, or is not ours to move: the last look, when nothing runs any more, decides.
  }
  return []
}

/**
 * Gives a file a name that means nothing to other programs. The folder must be where its name says. `name` are the bytes
 * of the last name where they are not UTF-8.
 */
export function moveAside(path: string, name: Buffer = Buffer.from(basename(path))): MovedAside {
  const to = join(dirname(path), `${shortened(basename(path))}.blocked-${randomBytes(4).toString('hex')}`)
  opened(dirname(path), () =>
    inFolder(dirname(path), (place) =>
      renameSync(Buffer.concat([Buffer.from(`${place}/`), name]), join(place, basename(to))),
    ),
  )
  return { path, to }
}

/** So that there is room for more in the 255 bytes that a name may have. */
function shortened(name: string): string {
  let end = name.length
  while (Buffer.byteLength(name.slice(0, end)) > 200) end--
  return name.slice(0, end)
}

/** Puts a file where there is none any more; fails where something else has taken its place. */
export function putInPlace(path: string, bytes: Uint8Array): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  inFolder(dirname(path), (place) => {
    const file = openSync(join(place, basename(path)), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644)
    try {
      writeSync(file, bytes)
    } finally {
      closeSync(file)
    }
  })
}

/** Does something in a folder, and once more where a command has closed the folder to keep what it put there. */
function opened<T>(folder: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    inFolder(folder, (place) => chmodSync(place, statSync(place).mode | 0o700))
    return action()
  }
}

/** What a command takes from the folders that guarded paths lie in would keep everyone from looking at those. */
function modesOf(folders: Iterable<string>): ReadonlyMap<string, number> {
  return new Map(
    [...folders]
      .filter((folder) => pathKind(folder) === 'folder')
      .map((folder) => [folder, statSync(folder).mode]),
  )
}

function putBack(folder: string, mode: number): void {
  try {
    inFolder(folder, (place) => {
      if (statSync(place).mode !== mode) chmodSync(place, mode)
    })
  } catch {
    // Another one by now, or none.
  }
}

/** Through the folder as it was opened and found to be the right one: its name may lead elsewhere by now. */
function inFolder(folder: string, action: (place: string) => void): void {
  // A command may have taken the permission to open it.
  const file = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const place = `/proc/self/fd/${file}`
    if (readlinkSync(place) !== folder) throw new Error('the folder is another one by now')
    action(place)
  } finally {
    closeSync(file)
  }
}
