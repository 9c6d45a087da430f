import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

import { CommonError } from '../errors/common-error.ts'

/** The person's. Throws where there is none: a path from elsewhere would mean a folder of whatever project we run in. */
export function homeFolder(ask: () => string = homedir): string {
  const home = answerOf(ask)
  if (isAbsolute(home)) return home
  throw new CommonError('CONFIG_INVALID', {
    problem: 'It is not known where your home folder is: HOME is not set to one',
    hint: 'Set HOME to a folder of your own. contextd keeps its files there, unless CONTEXTD_HOME names another place.',
  })
}

function answerOf(ask: () => string): string {
  try {
    return ask()
  } catch {
    // HOME is not set, and this user is in no list of users.
    return ''
  }
}
