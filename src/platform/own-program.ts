import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folders that contextd itself is run from: whoever writes there runs code as its user at the next start. */
export function ownProgramFolders(from: string = dirname(fileURLToPath(import.meta.url))): string[] {
  let folder = from
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return ['bin', 'dist', 'node_modules'].map((name) => join(folder, name))
}
