import { systemError } from '@contextd/shared/files/system-error'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'

interface SqliteFailure {
  /** SQLite's primary result code. */
  readonly code: number
  /** SQLite's own words for it: all that is left of the code in some errors of the driver for older Nodes. */
  readonly words: string
  /** Ours, for the person who has to act. */
  readonly cause: string
}

const busy = 5
const protocol = 15

/** The results that mean "the store is unusable". */
const failures: readonly SqliteFailure[] = [
  { code: 3, words: 'access permission denied', cause: 'access was denied' },
  { code: busy, words: 'database is locked', cause: 'another process kept it locked for too long' },
  { code: 6, words: 'database table is locked', cause: 'it is locked by another statement of this process' },
  { code: 8, words: 'attempt to write a readonly database', cause: 'the file or its folder is read-only' },
  { code: 10, words: 'disk I/O error', cause: 'reading or writing the file failed' },
  { code: 11, words: 'database disk image is malformed', cause: 'the file is damaged' },
  { code: 13, words: 'database or disk is full', cause: 'the disk is full' },
  { code: 14, words: 'unable to open database file', cause: 'the file cannot be opened' },
  { code: protocol, words: 'locking protocol', cause: 'other processes kept it locked for too long' },
  { code: 26, words: 'file is not a database', cause: 'the file is damaged, or is not a database' },
]

function failureOf(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error) || error instanceof CodedError) return undefined
  const { code, errcode, message } = error as Error & { code?: unknown; errcode?: unknown; message?: unknown }
  // The driver reports the extended code; the primary one is its lowest byte.
  if (typeof errcode === 'number') return failures.find((failure) => failure.code === (errcode & 0xff))
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  return failures.find(({ words }) => words === message)
}

/** True where waiting may help. */
export function isBusy(error: unknown): boolean {
  const code = failureOf(error)?.code
  return code === busy || code === protocol
}

/**
 * What the driver or the file system threw, as STORE_UNAVAILABLE where it means that. All else (a violated
 * constraint, wrong SQL) is a fault in our own code and stays what it is.
 */
export function storeError(error: unknown, path: string): unknown {
  const cause = failureOf(error)?.cause
  if (cause === undefined) return systemError(error, path)
  return new ContextdError('STORE_UNAVAILABLE', { cause: `${path}: ${cause}`, path }, { cause: error })
}
