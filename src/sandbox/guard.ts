/**
 * Guarded paths that do not exist cannot be made read-only, so they are watched: anything a command creates there is
 * moved aside immediately, under a name that means nothing to other programs. Nothing is deleted.
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
  /** Checks one last time and returns everything that was moved. */
  end(): MovedAside[]
}

/** More moves than a mistake causes. */
const maxMoves = 20
/** The pause between two checks: a command can make changes faster than we check, and everything else would wait. */
const pauseMs = 2

/**
 * `roots` are the writable folders, links resolved; `guarded` paths are below them. `onStubborn`: the command keeps
 * recreating a path.
 */
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
    // Another command created it a moment ago; it will be moved aside and was not mounted over.
    if (known !== undefined)
      return [{ root, path, parents, ...(known.link !== undefined && { link: known.link }) }]
    const kind = pathKind(path)
    if (kind === 'file' || kind === 'folder') return []
    // A link cannot be mounted over, so it is restored if it changes.
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
  // Stops listening until then: Node reads changes for as long as there are any and does nothing else.
  const checkSoon = (): void => {
    stopWatching()
    if (isOver || timer !== undefined) return
    timer = setTimeout(check, pauseMs)
    timer.unref()
  }
  const check = (): void => {
    timer = undefined
    // Watch first, so that nothing is missed in between. A new folder may contain the next target.
    for (const folder of new Set(targets.flatMap(({ parents }) => parents))) watchFolder(folder)
    clearAll()
    if (moved.length > maxMoves) onStubborn()
  }
  const watchFolder = (folder: string): void => {
    if (watched.has(folder)) return
    try {
      const watcher = watch(folder, { persistent: false }, checkSoon)
      watcher.on('error', checkSoon)
      watched.set(folder, watcher)
    } catch {
      // Missing; its parent is watched.
    }
  }
  check()
  return {
    end() {
      if (isOver) return moved
      isOver = true
      clearTimeout(timer)
      stopWatching()
      for (const [folder, mode] of modes) restoreMode(folder, mode)
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
  /** The target, for a link that existed before. */
  readonly link?: string
}

/** Moves away what replaced a guarded path, or a parent folder that is no longer a folder. */
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
    // It changes during the check, or is not ours to move: the last check, when nothing runs any more, decides.
  }
  return []
}

/**
 * Renames a file to a name that means nothing to other programs. The path must have no links. `name` is the last
 * component as bytes, if it is not UTF-8.
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

/** Leaves room for the suffix in the 255 bytes of a name. */
function shortened(name: string): string {
  let end = name.length
  while (Buffer.byteLength(name.slice(0, end)) > 200) end--
  return name.slice(0, end)
}

/** Restores a missing file; fails if something else has taken its path. */
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

/** Retries with restored permissions: a command may close a folder to protect what it created there. */
function opened<T>(folder: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    inFolder(folder, (place) => chmodSync(place, statSync(place).mode | 0o700))
    return action()
  }
}

/** Permissions that a command removes from parents of guarded paths would keep everyone from checking those. */
function modesOf(folders: Iterable<string>): ReadonlyMap<string, number> {
  return new Map(
    [...folders]
      .filter((folder) => pathKind(folder) === 'folder')
      .map((folder) => [folder, statSync(folder).mode]),
  )
}

function restoreMode(folder: string, mode: number): void {
  try {
    inFolder(folder, (place) => {
      if (statSync(place).mode !== mode) chmodSync(place, mode)
    })
  } catch {
    // Replaced or deleted.
  }
}

/** Through a descriptor of the verified folder: its name may refer to another folder by now. */
function inFolder(folder: string, action: (place: string) => void): void {
  // A command may have removed the permission to open it.
  const file = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const place = `/proc/self/fd/${file}`
    if (readlinkSync(place) !== folder) throw new Error('the folder was replaced')
    action(place)
  } finally {
    closeSync(file)
  }
}
