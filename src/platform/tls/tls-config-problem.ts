import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { untimely } from './certificate.ts'
import { readTlsFolder } from './tls-folder.ts'

/** What keeps everybody out who shows a certificate, and how to mend it; undefined where nothing does, or none were made. */
export function tlsConfigProblem(folder: string, now: number): ContextdError | undefined {
  try {
    const found = readTlsFolder(folder)
    // A server whose own certificate has ended renews it; only without an authority it cannot.
    const problem = found && untimely(found.authority.certificate, now)
    return problem === undefined ? undefined : new ContextdError('TLS_AUTHORITY_UNUSABLE', { problem })
  } catch (error) {
    if (error instanceof CodedError) return error
    throw error
  }
}
