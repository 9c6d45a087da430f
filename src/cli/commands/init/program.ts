/** How a client runs contextd. */

import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

import { isExecutable } from '@contextd/shared/executable'
import { ownFolder, ownProgramPaths } from '../../../platform/own-program.ts'

/** By name if that lasts and works on other machines, else by its path on this one. */
export function programWords(path: string): readonly [string, ...string[]] {
  if (findLasting(path, 'contextd') !== undefined) return ['contextd']
  const [bin = ''] = ownProgramPaths(false)
  const launcher = join(bin, 'contextd.js')
  return [process.execPath, existsSync(launcher) ? launcher : (process.argv[1] ?? launcher)]
}

/** Target of links to `contextd-proxy`: a path that survives updates, if there is one. */
export function proxyProgram(path: string): string {
  return findLasting(path, 'contextd-proxy') ?? shippedFile('bin/contextd-proxy.js')
}

function findLasting(path: string, program: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  // Exists only while npm or npx runs something.
  const lasting = folders.filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder))
  return lasting.map((folder) => join(folder, program)).find((file) => isExecutable(file))
}

/** A file shipped with the program. */
export function shippedFile(name: string): string {
  return join(ownFolder(), name)
}
