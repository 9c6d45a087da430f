import * as z from 'zod'

import type { Call } from '../../core/call.ts'
import type { VersionReader } from './file-version.ts'

/** Checked with a message instead of a schema keyword, which would cost every model tokens. */
export const filePath = z
  .string()
  .refine(
    (path) => path !== '' && path.length <= 4096 && !path.includes('\0'),
    'a path of 1 to 4096 characters, without NUL',
  )

/** Versions are remembered per session and running agent: another one has another context. */
export function readerOf({ session, principal }: Call): VersionReader {
  return { session, agent: principal?.agent ?? '', instance: principal?.instance }
}
