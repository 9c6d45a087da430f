/** How a client is to run contextd. */

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { isExecutable } from '../../../platform/executable.ts'
import { ownProgramPaths } from '../../../platform/own-program.ts'

/** By its name where that will be found tomorrow and on other machines too, else by where it is on this one. */
export function programWords(path: string): readonly [string, ...string[]] {
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  // There while npm or npx runs something, and gone afterwards.
  const lasting = folders.filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder))
  if (lasting.some((folder) => isExecutable(join(folder, 'contextd')))) return ['contextd']
  const [bin = ''] = ownProgramPaths(false)
  const launcher = join(bin, 'contextd.js')
  return [process.execPath, existsSync(launcher) ? launcher : (process.argv[1] ?? launcher)]
}

/** A file that is shipped beside the program. */
export function shippedFile(name: string): string {
  const [bin = ''] = ownProgramPaths(false)
  return join(bin, '..', name)
}
