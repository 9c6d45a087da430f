/** Updates the index of a folder: checks every file, and reads only those that changed. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { batches } from '../../core/batches.ts'
import { CodedError, ContextdError, missingThing } from '../../core/errors/errors.ts'
import { knownContent } from '../../platform/storage/chunk-words.ts'
import {
  fingerprint,
  readWholeFile,
  checkedSecrets,
  fileWordsOf,
  type FileReader,
  type ReadFile,
  type FileWordsOptions,
} from './file-words.ts'
import { surveyFolder, type SurveyRules, type SurveyScope } from './survey.ts'
import { createIndexWriter, type PreparedFile, type WriterParts } from './write-index.ts'

export interface UpdateParts extends FileWordsOptions, WriterParts, Omit<SurveyRules, 'onFolder'> {
  readonly tenant: string
  readonly readFile?: FileReader
}

export interface UpdateIndexOptions extends SurveyScope, Pick<SurveyRules, 'onFolder'> {
  readonly signal?: AbortSignal | undefined
  /** Stops after this time; the next update continues from there. */
  readonly maxMs?: number
  readonly onProgress?: (progress: UpdateProgress) => void
}

/** Counts the files that must be read. */
export interface UpdateProgress {
  readonly done: number
  readonly total: number
  readonly path: string
}

export interface UpdateReport {
  /** Files that were checked and are not ignored. */
  readonly files: number
  /** Files that were opened. */
  readonly read: number
  /** New or changed files that were indexed again. */
  readonly indexed: number
  readonly removed: number
  readonly tooLarge: number
  /** False if time ran out. */
  readonly isComplete: boolean
  /** What the user should know. */
  readonly notes: readonly string[]
}

const removedPerTurn = 64
/** A file modified so shortly before it was read may change again without a different timestamp. */
const settledMs = 40

/** Throws NOT_INDEXED if indexing of the folder was never started. */
export async function updateIndex(
  parts: UpdateParts,
  folder: string,
  options: UpdateIndexOptions = {},
): Promise<UpdateReport> {
  const { store, tenant, clock, mayIndex, maxFileBytes, readFile = readWholeFile } = parts
  const { signal, onFolder, onProgress, maxMs = Infinity } = options
  // An unmounted disk is no reason to drop its index.
  if (!existsSync(folder)) throw new ContextdError('NOT_FOUND', missingThing('folder', folder))
  const deadline = clock() + maxMs
  const turn = async (): Promise<void> => {
    await nextTurn()
    signal?.throwIfAborted()
  }

  const owner = { tenant, project: folder }
  const writer = createIndexWriter(parts, owner)
  const survey = await surveyFolder(store, owner, options, { mayIndex, maxFileBytes, onFolder }, turn)
  for (const some of batches(survey.removed, removedPerTurn)) {
    await writer.remove(some)
    await turn()
  }

  const notes = [...survey.notes]
  const toRead = writer.isCurrent ? survey.changed : [...survey.changed, ...survey.same]
  const unreadable: string[] = []
  let prepared: PreparedFile[] = []
  let [read, indexed, done] = [0, 0, 0]
  for (const path of toRead) {
    if (clock() > deadline) break
    done++
    const known = knownContent(store, owner, path)
    const readAt = clock()
    const file = readFile(join(folder, path), maxFileBytes)
    if (file !== undefined) read++
    try {
      // Paths are stored unscrubbed, so a path with a secret in it is not stored.
      const mayStore = known !== undefined || (await checkedSecrets(path, parts)).length === 0
      if (file !== undefined && mayStore) {
        prepared.push(await prepare(parts, writer.format, { path, file, readAt, known }))
      } else if (known !== undefined) unreadable.push(path)
    } catch (error) {
      // Files that cannot be checked are not stored either.
      if (!(error instanceof CodedError)) throw error
      notes.push(`${path}: not indexed (${error.code})`)
      if (known !== undefined) unreadable.push(path)
    }
    onProgress?.({ done, total: toRead.length, path })
    if (!writer.isEnough(prepared)) continue
    indexed += await writer.write(prepared)
    prepared = []
    await turn()
  }
  indexed += await writer.write(prepared)
  await writer.remove(unreadable)
  const isComplete = done === toRead.length
  if (isComplete && options.files === undefined && options.folders === undefined) writer.finish()
  return {
    files: survey.same.length + survey.changed.length,
    read,
    indexed,
    removed: survey.removed.length + unreadable.length,
    tooLarge: survey.tooLarge.length,
    isComplete,
    notes: [...notes, ...writer.notes()],
  }
}

interface FileToPrepare {
  readonly path: string
  readonly file: ReadFile
  readonly readAt: number
  /** Its fingerprint when it was last indexed. */
  readonly known: Buffer | undefined
}

async function prepare(
  reading: FileWordsOptions,
  format: string,
  { path, file: { bytes, size, changedMs }, readAt, known }: FileToPrepare,
): Promise<PreparedFile> {
  const isSettled = changedMs < readAt - settledMs
  const sha256 = fingerprint(format, bytes)
  return {
    path,
    size,
    sha256,
    // No file has a negative date, so it is read again next time.
    changedMs: isSettled ? changedMs : -changedMs,
    ...(known?.equals(sha256) !== true && { words: await fileWordsOf(path, bytes, reading) }),
  }
}
