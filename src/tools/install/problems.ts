import { ContextdError } from '../../core/errors/errors.ts'

export function sourceUnavailable(cause: string, hint?: string): ContextdError {
  return new ContextdError('SOURCE_UNAVAILABLE', { cause, ...(hint !== undefined && { hint }) })
}

export function refused(problem: string): ContextdError {
  return new ContextdError('ARCHIVE_REFUSED', { problem })
}
