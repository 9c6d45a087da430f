/** Ensures before a search that the index exists and is up to date, as far as that is quick. */

import type { Clock } from '../../core/ports.ts'
import { isSmallRepository, type RepositoryIndex } from './repository-index.ts'
import type { UpdateProgress } from './update.ts'

export interface IndexRefresher {
  /** Returns notes for the caller, such as that the index is not complete yet. */
  refresh(workspace: string, options: RefreshOptions): Promise<readonly string[]>
}

export interface RefreshOptions {
  /** Epoch milliseconds. */
  readonly deadline: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: UpdateProgress) => void
}

/** Repositories of up to this many files are indexed by the first search. */
const maxFiles = 5000
/** Max time for the first search's indexing, and for updates before later ones. */
const firstMs = 20_000
const laterMs = 2000
/** Checking ten thousand files takes tenths of a second: too slow for every search. */
const pauseMs = 15_000
/** Reserved for the search itself. */
const reserveMs = 3000

export function createIndexRefresher(
  index: Pick<RepositoryIndex, 'index' | 'update' | 'foldersFor'>,
  clock: Clock,
  isSmall: (folder: string) => boolean = (folder) => isSmallRepository(folder, maxFiles),
): IndexRefresher {
  /** When each folder was last complete. */
  const completedAt = new Map<string, number>()
  return {
    async refresh(workspace, { deadline, signal, onProgress }) {
      const timeFor = (maxMs: number): number => Math.max(0, Math.min(maxMs, deadline - clock() - reserveMs))
      const notes: string[] = []
      const known = index.foldersFor(workspace)
      if (known.length === 0 && isSmall(workspace)) {
        const { folder, isComplete } = await index.index(workspace, {
          maxMs: timeFor(firstMs),
          signal,
          onProgress,
        })
        if (isComplete) completedAt.set(folder, clock())
        else notes.push(incompleteNote)
      }
      for (const folder of known) {
        if (clock() - (completedAt.get(folder) ?? -Infinity) < pauseMs) continue
        const { isComplete } = await index.update(folder, { maxMs: timeFor(laterMs), signal, onProgress })
        if (isComplete) completedAt.set(folder, clock())
        else notes.push(incompleteNote)
      }
      return notes
    },
  }
}

const incompleteNote = 'Not all files are indexed yet. Search again to continue indexing.'
