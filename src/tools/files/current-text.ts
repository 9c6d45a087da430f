/** The current content of a file, for callers that may both read and write it. */

import type { Call } from '../../core/call.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { maxSearchedBytes } from '../../core/tokens/secret-forms.ts'
import { decodeText, fileKind, headBytes } from '../../platform/files/file-kind.ts'
import { openForRead } from './confined-file.ts'
import type { FileTools } from './file-tools.ts'

type Caller = Pick<Call, 'project' | 'grants' | 'principal'>

/**
 * Undefined for a file that one of the callers may not read or write, and for one that is missing, too large or not
 * text: the caller cannot tell which.
 */
export async function currentText(
  files: FileTools,
  path: string,
  caller: Caller,
  ...others: readonly Caller[]
): Promise<string | undefined> {
  const accesses = [caller, ...others].map((one) => files.accessFor(one))
  const [access] = accesses as [(typeof accesses)[number]]
  try {
    const file = await openForRead(files.pathOf(path, access), access)
    try {
      if (file.stat.size > maxSearchedBytes) return undefined
      if (!accesses.every((one) => one.mayRead(file.path) && one.mayWrite(file.path))) return undefined
      const bytes = await file.read(0, file.stat.size)
      const kind = fileKind(bytes.subarray(0, headBytes), bytes.length <= headBytes)
      return kind.kind === 'text' ? decodeText(bytes, kind.encoding) : undefined
    } finally {
      file.close()
    }
  } catch (error) {
    // The tool itself reports the problem with the path.
    if (error instanceof CodedError) return undefined
    throw error
  }
}
