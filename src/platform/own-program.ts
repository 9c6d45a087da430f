import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of our package, from a file of it: of its sources, or of what is built from them. */
export function ownFolder(from: string = dirname(fileURLToPath(import.meta.url))): string {
  let folder = from
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/**
 * What contextd itself is run from: whoever writes there runs code as its user at the next start. `sources`: also what a
 * checkout is built from, for whoever is put into it without having asked for it.
 */
export function ownProgramPaths(
  sources: boolean,
  from: string = dirname(fileURLToPath(import.meta.url)),
): string[] {
  const folder = ownFolder(from)
  // Inside a client's plugin everything beside us is run or believed too: launchers, hooks, agents.
  if (existsSync(join(dirname(folder), '.claude-plugin'))) return [dirname(folder)]
  const built = ['bin', 'dist', 'node_modules']
  return [...built, ...(sources ? ['src', 'scripts', 'package.json'] : [])].map((name) => join(folder, name))
}
