import type { RepositoryIndex } from './repository-index.ts'
import { watchRepository, type WatchOptions, type Watching } from './watch.ts'

export interface WatchAllOptions extends WatchOptions {
  readonly index: Pick<RepositoryIndex, 'update' | 'folders'>
  /** Between two looks for folders that were taken in or dropped. */
  readonly listMs?: number
}

/** More than that are looked at when somebody asks. */
const maxRepositories = 32

/** Keeps every indexed folder current, also those that are indexed from now on. */
export function watchRepositories({ listMs = 10_000, ...options }: WatchAllOptions): Pick<Watching, 'close'> {
  const watched = new Map<string, Watching>()
  const look = (): void => {
    const wanted = new Set(options.index.folders().slice(0, maxRepositories))
    for (const [folder, watching] of watched) {
      if (wanted.has(folder)) continue
      watched.delete(folder)
      void watching.close()
    }
    for (const folder of wanted) {
      if (!watched.has(folder)) watched.set(folder, watchRepository(folder, options))
    }
  }
  look()
  const timer = setInterval(() => {
    try {
      look()
    } catch (error) {
      options.log('warn', 'indexed repositories could not be listed', { cause: String(error) })
    }
  }, listMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await Promise.all(Array.from(watched.values(), (watching) => watching.close()))
    },
  }
}
