/**
 * Writes to the index in short transactions, so that other writers do not wait, and an interrupted process leaves
 * only complete files.
 */

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
import { chunkingVersion } from './chunk-file.ts'
import type { FileWords } from './file-words.ts'
import type { Grammars } from './grammars.ts'

export interface PreparedFile extends Pick<IndexedFile, 'path' | 'size' | 'changedMs' | 'sha256'> {
  /** Absent if only its date has changed. */
  readonly words?: FileWords
}

export interface WriterParts {
  readonly store: Store
  readonly clock: Clock
  readonly grammars?: Grammars | undefined
  readonly embedder?: Embedder | undefined
  readonly vectors?: VectorIndex | undefined
  /** Where vectors are stored: a new location does not have them yet. */
  readonly vectorPlace?: string | undefined
}

/** Identifies how files are indexed: chunking and grammar versions, embedding model and vector location. */
function formatOf({ grammars, embedder, vectors, vectorPlace = '' }: WriterParts): string {
  const vectorSource =
    vectors !== undefined && embedder !== undefined ? `${embedder.model}@${vectorPlace}` : '-'
  return [chunkingVersion, grammars?.version ?? noGrammars, vectorSource].join(' ')
}

const noGrammars = '-'

/** A process without grammars keeps what another indexed with them: otherwise the two would reindex forever. */
function chooseFormat(own: string, storedFormat: string): string {
  const [version, grammars, ...vectors] = own.split(' ')
  const [otherVersion, , ...otherVectors] = storedFormat.split(' ')
  const isCompatible =
    grammars === noGrammars && version === otherVersion && vectors.join(' ') === otherVectors.join(' ')
  return isCompatible ? storedFormat : own
}

export interface IndexWriter {
  /** The format in which files are to be indexed. */
  readonly format: string
  /** Whether all files have that format, so that unchanged files need not be read. */
  readonly isCurrent: boolean
  /** Whether these fill one transaction. */
  isEnough(files: readonly PreparedFile[]): boolean
  /** Returns how many of them have new words. */
  write(files: readonly PreparedFile[]): Promise<number>
  remove(paths: readonly string[]): Promise<void>
  /** Marks that all files have been processed. */
  finish(): void
  notes(): readonly string[]
}

/** Creates the index of a folder that has none. */
export function beginIndex(parts: WriterParts, owner: IndexOwner): void {
  const about = { path: '', size: 0, changedMs: 0, language: '', indexedAt: 0 }
  const { store } = parts
  store.transaction(() => {
    if (knownContent(store, owner, '') !== undefined) return
    putIndexedFile(store, owner, { ...about, sha256: Buffer.from(formatOf(parts)) }, [])
  })
}

const maxFiles = 64
const maxChunks = 256

export function createIndexWriter(parts: WriterParts, owner: IndexOwner): IndexWriter {
  const { store, clock, embedder, vectors } = parts
  const files = store.rows('indexed_files', owner)
  const storedFormat = knownContent(store, owner, '')?.toString()
  if (storedFormat === undefined) throw new ContextdError('NOT_INDEXED')
  const format = chooseFormat(formatOf(parts), storedFormat)
  let problem: string | undefined

  const embedAll = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const isNeeded = vectors !== undefined && embedder !== undefined && texts.length > 0
    return isNeeded ? embedder.embed(texts, { as: 'document' }) : []
  }

  /** Runs in a transaction. Returns the vectors of new rows, and the removed rows. */
  const replace = (prepared: readonly PreparedFile[], vectorSource: readonly Float32Array[]) => {
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
        const vector = vectorSource[at++]
        if (vector !== undefined) added.push({ row, project: owner.project, vector })
      }
    }
    return { added, removed, written }
  }

  /** Marks files whose vectors are missing, so that the next full update adds them. */
  const markIncomplete = (prepared: readonly PreparedFile[]): void => {
    store.transaction(() => {
      for (const path of ['', ...prepared.map((file) => file.path)]) {
        files.update({ sha256: Buffer.from('incomplete') }, { path })
      }
    })
  }

  return {
    format,
    isCurrent: storedFormat === format,
    isEnough: (prepared) =>
      prepared.length >= maxFiles ||
      prepared.reduce((sum, { words }) => sum + (words?.chunks.length ?? 0), 0) >= maxChunks,
    async write(prepared) {
      if (prepared.length === 0) return 0
      const catcher = createProblemCatcher((message) => (problem = message))
      const texts = prepared.flatMap(({ words }) => words?.texts ?? [])
      const vectorSource = (await catcher.of(() => embedAll(texts))) ?? []
      let work: unknown
      const written = store.transaction(() => {
        // The index may have been removed in the meantime.
        if (knownContent(store, owner, '') === undefined) return 0
        const { added, removed, written: count } = replace(prepared, vectorSource)
        // The embedded store writes synchronously, within the transaction.
        work = catcher.of(async () => {
          const putting = added.length > 0 && embedder !== undefined && vectors?.put(added, embedder.model)
          const removing = removed.length > 0 && vectors?.remove(removed)
          await Promise.all([putting, removing])
        })
        return count
      })
      await work
      if (catcher.hasFailed()) markIncomplete(prepared)
      return written
    },
    async remove(paths) {
      let work: unknown
      store.transaction(() => {
        const rows = paths.flatMap((path) => removeChunks(store, owner, path))
        for (const path of paths) files.remove({ path })
        // A leftover vector has no row, and is therefore never returned.
        if (rows.length > 0) work = createProblemCatcher(() => {}).of(async () => vectors?.remove(rows))
      })
      await work
    },
    finish() {
      const sha256 = Buffer.from(problem === undefined ? format : 'incomplete')
      files.update({ sha256, indexed_at: clock() }, { path: '' })
    },
    notes: () => (problem === undefined ? [] : [`Some files can only be found by keyword: ${problem}`]),
  }
}

interface ProblemCatcher {
  of<T>(work: () => Promise<T>): Promise<T | undefined>
  hasFailed(): boolean
}

/** Vectors are optional: failures are reported, and the words are stored anyway. */
function createProblemCatcher(report: (message: string) => void): ProblemCatcher {
  let hasFailed = false
  return {
    async of(work) {
      try {
        return await work()
      } catch (error) {
        hasFailed = true
        report(problemOf(error))
        return undefined
      }
    },
    hasFailed: () => hasFailed,
  }
}
