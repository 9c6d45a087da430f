import { join } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'
import { matchesPattern, namesOf, readPattern } from '../files/path-pattern.ts'

/** A file, a folder with all below it, or a pattern such as `src/**\/*.ts`; it asks for paths seen from the workspace. */
export function pathFilter(path: string, workspace: string): (path: string) => boolean {
  const pattern = readPattern(path, { workspace, home: homeFolder() })
  return (file) => pattern !== undefined && matchesPattern(namesOf(join(workspace, file)), pattern)
}
