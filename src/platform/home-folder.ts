import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

import { ContextdError } from '../core/errors.ts'

/** The person's. Throws where there is none: a path from elsewhere would mean a folder of whatever project we run in. */
export function homeFolder(): string {
  const home = whatTheSystemSays()
  if (isAbsolute(home)) return home
  throw new ContextdError('CONFIG_INVALID', {
    problem: 'It is not known where your home folder is: HOME is not set to one',
    hint: 'Set HOME to a folder of your own. contextd keeps its files there, unless CONTEXTD_HOME names another place.',
  })
}

function whatTheSystemSays(): string {
  try {
    return homedir()
  } catch {
    // HOME is not set, and this user is in no list of users.
    return ''
  }
}
