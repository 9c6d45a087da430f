import * as z from 'zod'

import type { Call } from '../../core/call.ts'
import type { VersionReader } from './file-version.ts'

/** In words and not in the schema, which every model pays for. */
export const filePath = z
  .string()
  .refine(
    (path) => path !== '' && path.length <= 4096 && !path.includes('\0'),
    'a path of 1 to 4096 characters, without NUL',
  )

/** Versions are remembered for a session and agent: another agent has another context. */
export function readerOf({ session, principal }: Call): VersionReader {
  return { session, agent: principal?.agent ?? '' }
}
