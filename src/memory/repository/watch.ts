/**
 * Keeps an index current while its files change. One watch a folder, and only for folders that count: a watch of a whole
 * tree, where a system has none of its own, is made of watches of all its folders, `node_modules` too, and no end to them.
 * Where there are too many folders, or no watches left, it looks at everything every so often instead.
 */

import { watch } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Log } from '../../platform/log.ts'
import type { RepositoryIndex } from './repository-index.ts'
import { ignoreFiles, type ChangedFolder } from './survey.ts'

export interface WatchOptions {
  readonly index: Pick<RepositoryIndex, 'update'>
  readonly log: Log
  /** After the last of a row of changes. */
  readonly quietMs?: number
  /** Between two looks at everything, without watches and with them: a system may drop what it cannot keep up with. */
  readonly pollMs?: number
  readonly checkMs?: number
  readonly maxFolders?: number
}

/** How often a change may put off the work. */
const maxPostponements = 10

export interface Watching {
  /** Whether changes are told by the system. */
  isLive(): boolean
  close(): Promise<void>
}

export function watchRepository(folder: string, options: WatchOptions): Watching {
  const { index, log, quietMs = 300, pollMs = 30_000, checkMs = 600_000, maxFolders = 4096 } = options
  const stopped = new AbortController()
  const watches = new Map<string, { close(): void }>()
  /** Folders where something happened; `isDeep` for those that were not there before. */
  let changed = new Map<string, boolean>()
  let isAllChanged = true
  let isPolling = false
  /** The first change that is still waiting. */
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

  const giveUpWatching = (why: string): void => {
    if (!isPolling)
      log('info', `a repository is looked at every ${pollMs / 1000} s instead of watched`, {
        file: folder,
        why,
      })
    isPolling = true
    for (const name of watches.keys()) unwatch(name)
  }

  const unwatch = (name: string): void => {
    watches.get(name)?.close()
    watches.delete(name)
  }

  const onEvent = (name: string, file: string | null): void => {
    if (file !== null && (ignoreFiles as readonly string[]).includes(file)) isAllChanged = true
    else changed.set(name, changed.get(name) ?? false)
    if (work !== undefined) return
    changedAt ??= Date.now()
    // Whoever writes all the time is not waited for.
    if (Date.now() - changedAt < quietMs * maxPostponements) after(quietMs, run)
  }

  const watchFolder = (name: string): void => {
    if (isPolling || watches.has(name) || stopped.signal.aborted) return
    if (watches.size >= maxFolders) return giveUpWatching('too many folders')
    try {
      const watcher = watch(join(folder, name), { persistent: false }, (_, file) => onEvent(name, file))
      watcher.on('error', () => {
        unwatch(name)
        onEvent(parentOf(name), null)
      })
      watches.set(name, watcher)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A folder may be gone again: its parent tells.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') giveUpWatching(code ?? 'unknown')
    }
  }

  /** Watched before it is looked into, so that nothing happens unseen in between. */
  const lookAtAll = async (): Promise<void> => {
    const seen = new Set([''])
    watchFolder('')
    const onFolder = (name: string): void => {
      seen.add(name)
      watchFolder(name)
    }
    await index.update(folder, { onFolder, signal: stopped.signal })
    for (const name of watches.keys()) if (!seen.has(name)) unwatch(name)
  }

  const lookAt = async (folders: readonly ChangedFolder[]): Promise<void> => {
    const seen = new Set<string>()
    const isLookedInto = (name: string): boolean =>
      folders.some((one) => one.isDeep && name.startsWith(`${one.name}/`))
    const onFolder = (name: string): void => {
      seen.add(name)
      if (watches.has(name)) return
      watchFolder(name)
      if (!isLookedInto(name)) changed.set(name, true)
    }
    await index.update(folder, { folders, onFolder, signal: stopped.signal })
    const looked = new Set(folders.map(({ name }) => name))
    for (const name of watches.keys()) {
      if (name !== '' && looked.has(parentOf(name)) && !seen.has(name)) unwatchWithin(name)
    }
  }

  const unwatchWithin = (gone: string): void => {
    for (const name of watches.keys()) if (name === gone || name.startsWith(`${gone}/`)) unwatch(name)
  }

  const turn = async (): Promise<void> => {
    const [all, some] = [isAllChanged || isPolling, changed]
    isAllChanged = false
    changed = new Map()
    changedAt = undefined
    try {
      if (all) await lookAtAll()
      else await lookAt(Array.from(some, ([name, isDeep]) => ({ name, isDeep })))
    } catch (error) {
      if (stopped.signal.aborted) return
      log('warn', 'an index could not be brought up to date', { file: folder, cause: String(error) })
      // The folder may come back, and its watches with it.
      for (const name of watches.keys()) unwatch(name)
      return after(pollMs, runForAll)
    }
    if (isAllChanged || changed.size > 0) after(quietMs, run)
    else after(isPolling ? pollMs : checkMs, runForAll)
  }

  const run = (): void => {
    work ??= turn().finally(() => {
      work = undefined
    })
  }

  run()
  return {
    isLive: () => watches.size > 0,
    async close() {
      stopped.abort()
      clearTimeout(timer)
      for (const name of watches.keys()) unwatch(name)
      await work
    },
  }
}

function parentOf(name: string): string {
  const parent = dirname(name)
  return parent === '.' ? '' : parent
}
