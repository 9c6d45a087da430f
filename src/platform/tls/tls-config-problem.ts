import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { validityProblem } from './certificate.ts'
import { readTlsFolder } from './tls-folder.ts'

/**
 * The problem that makes every certificate unusable, with its fix; undefined if missing, or TLS was never set
 * up.
 */
export function tlsConfigProblem(folder: string, now: number): ContextdError | undefined {
  try {
    const found = readTlsFolder(folder)
    // A server renews its own expired certificate, which requires a valid authority.
    const problem = found && validityProblem(found.authority.certificate, now)
    return problem === undefined ? undefined : new ContextdError('TLS_AUTHORITY_UNUSABLE', { problem })
  } catch (error) {
    if (error instanceof CodedError) return error
    throw error
  }
}
