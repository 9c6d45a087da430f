/** Brings the index of a folder up to date: looks at every file, reads those that changed, and nothing else. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { batches } from '../../core/batches.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { knownContent } from '../../platform/storage/chunk-words.ts'
import {
  fingerprint,
  readWhole,
  vouchedSecrets,
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
  /** Stop after so long; the next time goes on from there. */
  readonly maxMs?: number
  readonly onProgress?: (progress: UpdateProgress) => void
}

/** Of the files that have to be read. */
export interface UpdateProgress {
  readonly done: number
  readonly total: number
  readonly path: string
}

export interface UpdateReport {
  /** Files that were looked at and count. */
  readonly files: number
  /** Files that were opened. */
  readonly read: number
  /** New or changed ones, whose words were made. */
  readonly indexed: number
  readonly removed: number
  readonly tooLarge: number
  /** False where time was up first. */
  readonly isComplete: boolean
  /** What a person should know. */
  readonly notes: readonly string[]
}

const removedPerTurn = 64
/** A file changed so shortly before it was read may change again without looking any different. */
const settledMs = 40

/** Throws NOT_INDEXED for a folder that nobody has begun to index. */
export async function updateIndex(
  parts: UpdateParts,
  folder: string,
  options: UpdateIndexOptions = {},
): Promise<UpdateReport> {
  const { store, tenant, clock, mayIndex, maxFileBytes, readFile = readWhole } = parts
  const { signal, onFolder, onProgress, maxMs = Infinity } = options
  // A disk that is not mounted is no reason to forget what is on it.
  if (!existsSync(folder)) throw new ContextdError('NOT_FOUND', { what: 'such folder' })
  const deadline = clock() + maxMs
  const turn = async (): Promise<void> => {
    await nextTurn()
    signal?.throwIfAborted()
  }

  const owner = { tenant, project: folder }
  const writer = createIndexWriter(parts, owner)
  const survey = await surveyFolder(store, owner, options, { mayIndex, maxFileBytes, onFolder }, turn)
  for (const some of batches(survey.gone, removedPerTurn)) {
    await writer.remove(some)
    await turn()
  }

  const notes = [...survey.notes]
  const waiting = writer.isCurrent ? survey.changed : [...survey.changed, ...survey.same]
  const unreadable: string[] = []
  let prepared: PreparedFile[] = []
  let [read, indexed, done] = [0, 0, 0]
  for (const path of waiting) {
    if (clock() > deadline) break
    done++
    const known = knownContent(store, owner, path)
    const readAt = clock()
    const file = readFile(join(folder, path), maxFileBytes)
    if (file !== undefined) read++
    try {
      // A path is kept as it stands, so one with a secret in it is not kept at all.
      const isKept = known !== undefined || (await vouchedSecrets(path, parts)).length === 0
      if (file !== undefined && isKept) {
        prepared.push(await prepare(parts, writer.how, { path, file, readAt, known }))
      } else if (known !== undefined) unreadable.push(path)
    } catch (error) {
      // What nobody can vouch for is not kept either.
      if (!(error instanceof CodedError)) throw error
      notes.push(`${path}: not indexed (${error.code})`)
      if (known !== undefined) unreadable.push(path)
    }
    onProgress?.({ done, total: waiting.length, path })
    if (!writer.isEnough(prepared)) continue
    indexed += await writer.write(prepared)
    prepared = []
    await turn()
  }
  indexed += await writer.write(prepared)
  await writer.remove(unreadable)
  const isComplete = done === waiting.length
  if (isComplete && options.files === undefined && options.folders === undefined) writer.finish()
  return {
    files: survey.same.length + survey.changed.length,
    read,
    indexed,
    removed: survey.gone.length + unreadable.length,
    tooLarge: survey.tooLarge.length,
    isComplete,
    notes: [...notes, ...writer.notes()],
  }
}

interface FileAtHand {
  readonly path: string
  readonly file: ReadFile
  readonly readAt: number
  /** What it was made of when it was last indexed. */
  readonly known: Buffer | undefined
}

async function prepare(
  reading: FileWordsOptions,
  how: string,
  { path, file: { bytes, size, changedMs }, readAt, known }: FileAtHand,
): Promise<PreparedFile> {
  const isSettled = changedMs < readAt - settledMs
  const sha256 = fingerprint(how, bytes)
  return {
    path,
    size,
    sha256,
    // No file looks like this, so it is read again the next time.
    changedMs: isSettled ? changedMs : -changedMs,
    ...(known?.equals(sha256) !== true && { words: await fileWordsOf(path, bytes, reading) }),
  }
}
