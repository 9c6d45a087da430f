import { ContextdError } from '../../core/errors/errors.ts'

/** The source does not give what it should. */
export function sourceUnavailable(cause: string, hint?: string): ContextdError {
  return new ContextdError('SOURCE_UNAVAILABLE', { cause, ...(hint !== undefined && { hint }) })
}

/** What came must not be written. */
export function refused(problem: string): ContextdError {
  return new ContextdError('ARCHIVE_REFUSED', { problem })
}

/** The name of an entry among words, however long it is. */
export function shown(path: string): string {
  return path.length > 80 ? `${path.slice(0, 80)}…` : path === '' ? 'an entry without a name' : path
}
