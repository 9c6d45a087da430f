import { systemError } from '@contextd/shared/files/system-error'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'

interface SqliteFailure {
  /** SQLite's primary result code. */
  readonly code: number
  /** SQLite's message for the code: some errors of the driver for older Node versions contain nothing else. */
  readonly text: string
  /** Our own message for the user. */
  readonly cause: string
}

const busy = 5
const protocol = 15

/** The result codes that mean "the store is unusable". */
const failures: readonly SqliteFailure[] = [
  { code: 3, text: 'access permission denied', cause: 'access was denied' },
  { code: busy, text: 'database is locked', cause: 'another process kept it locked for too long' },
  { code: 6, text: 'database table is locked', cause: 'it is locked by another statement of this process' },
  { code: 8, text: 'attempt to write a readonly database', cause: 'the file or its folder is read-only' },
  { code: 10, text: 'disk I/O error', cause: 'reading or writing the file failed' },
  { code: 11, text: 'database disk image is malformed', cause: 'the file is damaged' },
  { code: 13, text: 'database or disk is full', cause: 'the disk is full' },
  { code: 14, text: 'unable to open database file', cause: 'the file cannot be opened' },
  { code: protocol, text: 'locking protocol', cause: 'other processes kept it locked for too long' },
  { code: 26, text: 'file is not a database', cause: 'the file is damaged, or is not a database' },
]

function failureOf(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error) || error instanceof CodedError) return undefined
  const { code, errcode, message } = error as Error & { code?: unknown; errcode?: unknown; message?: unknown }
  // The driver reports the extended code, whose lowest byte is the primary one.
  if (typeof errcode === 'number') return failures.find((failure) => failure.code === (errcode & 0xff))
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  return failures.find(({ text }) => text === message)
}

/** True if retrying may help. */
export function isBusy(error: unknown): boolean {
  const code = failureOf(error)?.code
  return code === busy || code === protocol
}

/**
 * Converts errors of the driver or file system to STORE_UNAVAILABLE where that is what they mean. All others (a
 * violated constraint, invalid SQL) are bugs in our own code and stay unchanged.
 */
export function storeError(error: unknown, path: string): unknown {
  const cause = failureOf(error)?.cause
  if (cause === undefined) return systemError(error, path)
  return new ContextdError('STORE_UNAVAILABLE', { cause: `${path}: ${cause}`, path }, { cause: error })
}
