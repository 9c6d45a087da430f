/**
 * Keeps an index current while its files change. Uses one watch per folder, and only for folders that are not
 * ignored: without native support, a recursive watch consists of watches of all its folders, including
 * `node_modules`. If there are too many folders, or the system has no more watches, everything is polled instead.
 */

import { watch } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Log } from '../../platform/log.ts'
import type { RepositoryIndex } from './repository-index.ts'
import { ignoreFiles, type ChangedFolder } from './survey.ts'

export interface WatchOptions {
  readonly index: Pick<RepositoryIndex, 'update'>
  readonly log: Log
  /** Time without changes before an update starts. */
  readonly quietMs?: number
  /** Interval of full checks without and with watches: a system may drop events when overloaded. */
  readonly pollMs?: number
  readonly checkMs?: number
  readonly maxFolders?: number
}

/** How often changes may postpone an update. */
const maxPostponements = 10

export interface IndexWatch {
  /** Whether the system reports changes. */
  isLive(): boolean
  close(): Promise<void>
}

export function watchRepository(folder: string, options: WatchOptions): IndexWatch {
  const { index, log, quietMs = 300, pollMs = 30_000, checkMs = 600_000, maxFolders = 4096 } = options
  const stopped = new AbortController()
  /** Folders with changes; true for new folders, which are checked recursively. */
  let changed = new Map<string, boolean>()
  let isAllChanged = true
  /** Time of the first pending change. */
  let changedAt: number | undefined
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> | undefined

  const after = (ms: number, begin: () => void): void => {
    clearTimeout(timer)
    if (!stopped.signal.aborted) timer = setTimeout(begin, ms).unref()
  }
  const runForAll = (): void => {
    isAllChanged = true
    run()
  }
  const onEvent = (name: string, file: string | null): void => {
    if (file !== null && (ignoreFiles as readonly string[]).includes(file)) isAllChanged = true
    else changed.set(name, changed.get(name) ?? false)
    if (work !== undefined) return
    changedAt ??= Date.now()
    // Continuous changes must not postpone the update forever.
    if (Date.now() - changedAt < quietMs * maxPostponements) after(quietMs, run)
  }
  const watches = createFolderWatches(folder, {
    maxFolders,
    onEvent,
    onLimit: (why) =>
      log('info', `a repository is polled every ${pollMs / 1000} s instead of watched`, {
        file: folder,
        why,
      }),
  })

  /** Folders are watched before they are read, so that no change in between is missed. */
  const updateAll = async (): Promise<void> => {
    const seen = new Set([''])
    watches.add('')
    const onFolder = (name: string): void => {
      seen.add(name)
      watches.add(name)
    }
    await index.update(folder, { onFolder, signal: stopped.signal })
    watches.removeIf((name) => !seen.has(name))
  }

  const updateFolders = async (folders: readonly ChangedFolder[]): Promise<void> => {
    const seen = new Set<string>()
    const isCovered = (name: string): boolean =>
      folders.some((one) => one.isDeep && name.startsWith(`${one.name}/`))
    const onFolder = (name: string): void => {
      seen.add(name)
      if (watches.has(name)) return
      watches.add(name)
      if (!isCovered(name)) changed.set(name, true)
    }
    await index.update(folder, { folders, onFolder, signal: stopped.signal })
    const updated = new Set(folders.map(({ name }) => name))
    const isGone = (name: string): boolean => name !== '' && updated.has(parentOf(name)) && !seen.has(name)
    watches.removeIf((name) => pathsTo(name).some(isGone))
  }

  const runUpdate = async (): Promise<void> => {
    const [all, some] = [isAllChanged || watches.isLimited(), changed]
    isAllChanged = false
    changed = new Map()
    changedAt = undefined
    try {
      if (all) await updateAll()
      else await updateFolders(Array.from(some, ([name, isDeep]) => ({ name, isDeep })))
    } catch (error) {
      if (stopped.signal.aborted) return
      log('warn', 'an index could not be brought up to date', { file: folder, cause: String(error) })
      // The folder may come back, and its watches with it.
      watches.removeIf(() => true)
      return after(pollMs, runForAll)
    }
    if (isAllChanged || changed.size > 0) after(quietMs, run)
    else after(watches.isLimited() ? pollMs : checkMs, runForAll)
  }

  const run = (): void => {
    work ??= runUpdate().finally(() => (work = undefined))
  }

  run()
  return {
    isLive: watches.isLive,
    async close() {
      stopped.abort()
      clearTimeout(timer)
      watches.close()
      await work
    },
  }
}

interface FolderWatches {
  add(name: string): void
  has(name: string): boolean
  removeIf(isUnwanted: (name: string) => boolean): void
  isLive(): boolean
  /** Whether the system allows no further watches; then all are closed, and none is added. */
  isLimited(): boolean
  /** Adds none afterwards. */
  close(): void
}

interface FolderWatchesOptions {
  readonly maxFolders: number
  /** `file` is null if only the folder is known. */
  readonly onEvent: (folder: string, file: string | null) => void
  readonly onLimit: (why: string) => void
}

function createFolderWatches(
  folder: string,
  { maxFolders, onEvent, onLimit }: FolderWatchesOptions,
): FolderWatches {
  const watches = new Map<string, { close(): void }>()
  let isLimited = false
  let isClosed = false
  const remove = (name: string): void => {
    watches.get(name)?.close()
    watches.delete(name)
  }
  const removeIf: FolderWatches['removeIf'] = (isUnwanted) => {
    for (const name of watches.keys()) if (isUnwanted(name)) remove(name)
  }
  const giveUp = (why: string): void => {
    onLimit(why)
    isLimited = true
    removeIf(() => true)
  }
  return {
    add(name) {
      if (isLimited || isClosed || watches.has(name)) return
      if (watches.size >= maxFolders) return giveUp('too many folders')
      try {
        const watcher = watch(join(folder, name), { persistent: false }, (_, file) => onEvent(name, file))
        watcher.on('error', () => {
          remove(name)
          onEvent(parentOf(name), null)
        })
        watches.set(name, watcher)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // If the folder is already gone, its parent's watch reports it.
        if (code !== 'ENOENT' && code !== 'ENOTDIR') giveUp(code ?? 'unknown')
      }
    },
    has: (name) => watches.has(name),
    removeIf,
    isLive: () => watches.size > 0,
    isLimited: () => isLimited,
    close() {
      isClosed = true
      removeIf(() => true)
    },
  }
}

/** The folder, and the folders it is in. */
function pathsTo(name: string): string[] {
  return name === '' ? [] : [name, ...pathsTo(parentOf(name))]
}

function parentOf(name: string): string {
  const parent = dirname(name)
  return parent === '.' ? '' : parent
}
