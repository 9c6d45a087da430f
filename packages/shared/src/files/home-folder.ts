import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

import { CommonError } from '../errors/common-error.ts'

/** The user's home folder. Throws if it is unknown: a relative path would resolve in the current project. */
export function homeFolder(ask: () => string = homedir): string {
  const home = homeOrEmpty(ask)
  if (isAbsolute(home)) return home
  throw new CommonError('CONFIG_INVALID', {
    problem: 'Your home folder is unknown: HOME is not set to an absolute path',
    hint: 'Set HOME to your own folder. contextd stores its files there, unless CONTEXTD_HOME is set.',
  })
}

function homeOrEmpty(ask: () => string): string {
  try {
    return ask()
  } catch {
    // HOME is not set, and the user is not in the user database.
    return ''
  }
}
