/** How a client is to run contextd. */

import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

import { isExecutable } from '../../../platform/executable.ts'
import { ownFolder, ownProgramPaths } from '../../../platform/own-program.ts'

/** By its name where that will be found tomorrow and on other machines too, else by where it is on this one. */
export function programWords(path: string): readonly [string, ...string[]] {
  if (findLasting(path, 'contextd') !== undefined) return ['contextd']
  const [bin = ''] = ownProgramPaths(false)
  const launcher = join(bin, 'contextd.js')
  return [process.execPath, existsSync(launcher) ? launcher : (process.argv[1] ?? launcher)]
}

/** Where links to `contextd-proxy` lead: to where it will be after an update too, if there is such a place. */
export function proxyProgram(path: string): string {
  return findLasting(path, 'contextd-proxy') ?? shippedFile('bin/contextd-proxy.js')
}

function findLasting(path: string, program: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  // There while npm or npx runs something, and gone afterwards.
  const lasting = folders.filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder))
  return lasting.map((folder) => join(folder, program)).find((file) => isExecutable(file))
}

/** A file that is shipped beside the program. */
export function shippedFile(name: string): string {
  return join(ownFolder(), name)
}
