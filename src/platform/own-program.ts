import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of our package, starting from one of its files, in sources or build output. */
export function ownFolder(from: string = dirname(fileURLToPath(import.meta.url))): string {
  let folder = from
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/**
 * The paths contextd itself runs from: anyone who writes there executes code as its user at the next start. `sources`
 * adds what a checkout is built from, for callers that did not choose to be in this project.
 */
export function ownProgramPaths(
  sources: boolean,
  from: string = dirname(fileURLToPath(import.meta.url)),
): string[] {
  const folder = ownFolder(from)
  // Clients run the launchers and hooks of the plugins in `integrations`, and trust its agents.
  const built = ['bin', 'dist', 'node_modules', 'integrations']
  return [...built, ...(sources ? ['src', 'scripts', 'package.json'] : [])].map((name) => join(folder, name))
}
