import { join } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'
import { matchesPattern, namesOf, readPattern } from '../files/path-pattern.ts'

/**
 * Matches a file, a folder with everything below it, or a pattern such as `src/**\/*.ts`; paths are relative to the
 * workspace.
 */
export function pathFilter(path: string, workspace: string): (path: string) => boolean {
  const pattern = readPattern(path, { workspace, home: homeFolder() })
  return (file) => pattern !== undefined && matchesPattern(namesOf(join(workspace, file)), pattern)
}
