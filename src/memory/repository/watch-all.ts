import type { RepositoryIndex } from './repository-index.ts'
import { watchRepository, type WatchOptions, type IndexWatch } from './watch.ts'

export interface WatchAllOptions extends WatchOptions {
  readonly index: Pick<RepositoryIndex, 'update' | 'folders'>
  /** Interval of checking for folders that were added or dropped. */
  readonly listMs?: number
}

/** More repositories are updated when they are searched. */
const maxRepositories = 32

/** Keeps every indexed folder current, including those indexed later. */
export function watchRepositories({
  listMs = 10_000,
  ...options
}: WatchAllOptions): Pick<IndexWatch, 'close'> {
  const watched = new Map<string, IndexWatch>()
  const refresh = (): void => {
    const wanted = new Set(options.index.folders().slice(0, maxRepositories))
    for (const [folder, watch] of watched) {
      if (wanted.has(folder)) continue
      watched.delete(folder)
      void watch.close()
    }
    for (const folder of wanted) {
      if (!watched.has(folder)) watched.set(folder, watchRepository(folder, options))
    }
  }
  refresh()
  const timer = setInterval(() => {
    try {
      refresh()
    } catch (error) {
      options.log('warn', 'indexed repositories could not be listed', { cause: String(error) })
    }
  }, listMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await Promise.all(Array.from(watched.values(), (watch) => watch.close()))
    },
  }
}
