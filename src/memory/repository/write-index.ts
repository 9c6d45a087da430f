/** Writes to the index in short transactions: others wait for none of them, and a process that dies leaves whole files. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import {
  knownContent,
  putIndexedFile,
  removeChunks,
  type IndexedFile,
  type IndexOwner,
} from '../../platform/storage/chunk-words.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import { problemOf } from '../search/unavailable.ts'
import type { StoredVector, VectorIndex } from '../search/vector-index.ts'
import { cuttingVersion } from './cut-file.ts'
import type { FileWords } from './file-words.ts'
import type { Grammars } from './grammars.ts'

export interface PreparedFile extends Pick<IndexedFile, 'path' | 'size' | 'changedMs' | 'sha256'> {
  /** Absent where only its looks have changed. */
  readonly words?: FileWords
}

export interface WriterParts {
  readonly store: Store
  readonly clock: Clock
  readonly grammars?: Grammars | undefined
  readonly embedder?: Embedder | undefined
  readonly vectors?: VectorIndex | undefined
  /** Where those are kept: another place has none of them yet. */
  readonly vectorPlace?: string | undefined
}

/** What files are made into: by which cutting, and with whose vectors where. */
function howOf({ grammars, embedder, vectors, vectorPlace = '' }: WriterParts): string {
  const made = vectors !== undefined && embedder !== undefined ? `${embedder.model}@${vectorPlace}` : '-'
  return [cuttingVersion, grammars?.version ?? noGrammars, made].join(' ')
}

const noGrammars = '-'

/** One without grammars leaves alone what another has cut with them: else the two would never be done. */
function settleHow(own: string, found: string): string {
  const [version, grammars, ...vectors] = own.split(' ')
  const [otherVersion, , ...otherVectors] = found.split(' ')
  const isAsGood =
    grammars === noGrammars && version === otherVersion && vectors.join(' ') === otherVectors.join(' ')
  return isAsGood ? found : own
}

export interface IndexWriter {
  /** What files are to be made into. */
  readonly how: string
  /** Whether all files were made into that, so that those that look the same are the same. */
  readonly isCurrent: boolean
  /** Whether these are enough for one transaction. */
  isEnough(files: readonly PreparedFile[]): boolean
  /** Answers how many of them have new words. */
  write(files: readonly PreparedFile[]): Promise<number>
  remove(paths: readonly string[]): Promise<void>
  /** All files have been looked at. */
  finish(): void
  notes(): readonly string[]
}

/** Takes a folder in that has no index yet. */
export function beginIndex(parts: WriterParts, owner: IndexOwner): void {
  const about = { path: '', size: 0, changedMs: 0, language: '', indexedAt: 0 }
  const { store } = parts
  store.transaction(() => {
    if (knownContent(store, owner, '') !== undefined) return
    putIndexedFile(store, owner, { ...about, sha256: Buffer.from(howOf(parts)) }, [])
  })
}

const maxFiles = 64
const maxChunks = 256

export function createIndexWriter(parts: WriterParts, owner: IndexOwner): IndexWriter {
  const { store, clock, embedder, vectors } = parts
  const files = store.rows('indexed_files', owner)
  const found = knownContent(store, owner, '')?.toString()
  if (found === undefined) throw new ContextdError('NOT_INDEXED')
  const how = settleHow(howOf(parts), found)
  let problem: string | undefined

  const embedAll = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const wanted = vectors !== undefined && embedder !== undefined && texts.length > 0
    return wanted ? embedder.embed(texts, { as: 'document' }) : []
  }

  /** In a transaction. Answers the vectors that go with the new rows, and the rows that are no more. */
  const replace = (prepared: readonly PreparedFile[], made: readonly Float32Array[]) => {
    const added: StoredVector[] = []
    const removed: number[] = []
    let written = 0
    let at = 0
    for (const { words, path, size, changedMs, sha256 } of prepared) {
      // Another process may have been faster.
      if (words === undefined || knownContent(store, owner, path)?.equals(sha256) === true) {
        files.update({ size, changed_ms: changedMs }, { path, sha256 })
        at += words?.texts.length ?? 0
        continue
      }
      written++
      removed.push(...removeChunks(store, owner, path))
      const about = { path, size, changedMs, sha256, language: words.language, indexedAt: clock() }
      for (const row of putIndexedFile(store, owner, about, words.chunks)) {
        const vector = made[at++]
        if (vector !== undefined) added.push({ row, project: owner.project, vector })
      }
    }
    return { added, removed, written }
  }

  /** Their vectors are missing: the next full look finds that out, because the folder says so. */
  const markIncomplete = (prepared: readonly PreparedFile[]): void => {
    store.transaction(() => {
      for (const path of ['', ...prepared.map((file) => file.path)]) {
        files.update({ sha256: Buffer.from('incomplete') }, { path })
      }
    })
  }

  return {
    how,
    isCurrent: found === how,
    isEnough: (prepared) =>
      prepared.length >= maxFiles ||
      prepared.reduce((sum, { words }) => sum + (words?.chunks.length ?? 0), 0) >= maxChunks,
    async write(prepared) {
      if (prepared.length === 0) return 0
      const watched = watchProblem((message) => (problem = message))
      const texts = prepared.flatMap(({ words }) => words?.texts ?? [])
      const made = (await watched.of(() => embedAll(texts))) ?? []
      let work: unknown
      const written = store.transaction(() => {
        // Somebody may have removed the index meanwhile.
        if (knownContent(store, owner, '') === undefined) return 0
        const { added, removed, written: count } = replace(prepared, made)
        // The embedded store writes at once, within the transaction.
        work = watched.of(async () => {
          const putting = added.length > 0 && embedder !== undefined && vectors?.put(added, embedder.model)
          const removing = removed.length > 0 && vectors?.remove(removed)
          await Promise.all([putting, removing])
        })
        return count
      })
      await work
      if (watched.happened()) markIncomplete(prepared)
      return written
    },
    async remove(paths) {
      let work: unknown
      store.transaction(() => {
        const rows = paths.flatMap((path) => removeChunks(store, owner, path))
        for (const path of paths) files.remove({ path })
        // A vector that stays behind is of no row, and never answered.
        if (rows.length > 0) work = watchProblem(() => {}).of(async () => vectors?.remove(rows))
      })
      await work
    },
    finish() {
      const sha256 = Buffer.from(problem === undefined ? how : 'incomplete')
      files.update({ sha256, indexed_at: clock() }, { path: '' })
    },
    notes: () => (problem === undefined ? [] : [`Some files are found by words only: ${problem}`]),
  }
}

interface WatchProblem {
  of<T>(work: () => Promise<T>): Promise<T | undefined>
  happened(): boolean
}

/** Vectors are a help and no condition: whatever fails of them is told, and the words stand. */
function watchProblem(tell: (message: string) => void): WatchProblem {
  let happened = false
  return {
    async of(work) {
      try {
        return await work()
      } catch (error) {
        happened = true
        tell(problemOf(error))
        return undefined
      }
    },
    happened: () => happened,
  }
}
