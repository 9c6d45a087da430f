/** Sees to it that an index is there and not behind when somebody asks, as far as that takes no time worth speaking of. */

import type { Clock } from '../../core/ports.ts'
import { isSmallRepository, type RepositoryIndex } from './repository-index.ts'
import type { UpdateProgress } from './update.ts'

export interface KeepCurrent {
  /** Answers what the asker should know, such as that the index is not complete yet. */
  before(workspace: string, asking: Asking): Promise<readonly string[]>
}

export interface Asking {
  /** Epoch milliseconds. */
  readonly deadline: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: UpdateProgress) => void
}

/** A repository of no more files is indexed by the first question about it. */
const maxFiles = 5000
/** How long the first question may take for that, and every other to catch up. */
const firstMs = 20_000
const laterMs = 2000
/** Looking at ten thousand files takes tenths of a second: not with every question. */
const pauseMs = 15_000
/** For the answer itself. */
const reserveMs = 3000

export function createKeepCurrent(
  index: Pick<RepositoryIndex, 'index' | 'update' | 'foldersFor'>,
  clock: Clock,
  isSmall: (folder: string) => boolean = (folder) => isSmallRepository(folder, maxFiles),
): KeepCurrent {
  /** When each was last complete. */
  const looked = new Map<string, number>()
  return {
    async before(workspace, { deadline, signal, onProgress }) {
      const timeFor = (most: number): number => Math.max(0, Math.min(most, deadline - clock() - reserveMs))
      const notes: string[] = []
      const known = index.foldersFor(workspace)
      if (known.length === 0 && isSmall(workspace)) {
        const { folder, isComplete } = await index.index(workspace, {
          maxMs: timeFor(firstMs),
          signal,
          onProgress,
        })
        if (isComplete) looked.set(folder, clock())
        else notes.push(unfinished)
      }
      for (const folder of known) {
        if (clock() - (looked.get(folder) ?? -Infinity) < pauseMs) continue
        const { isComplete } = await index.update(folder, { maxMs: timeFor(laterMs), signal, onProgress })
        if (isComplete) looked.set(folder, clock())
        else notes.push(unfinished)
      }
      return notes
    },
  }
}

const unfinished = 'Not all files are indexed yet. Ask again to go on.'
