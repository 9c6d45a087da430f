import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs'

import { CommonError } from '../errors/common-error.ts'
import { systemError } from './system-error.ts'

const wrongOwnerHint =
  'It was not changed. Reclaim it with `chown`, or set CONTEXTD_HOME or XDG_RUNTIME_DIR to your own folder.'

/**
 * Creates a folder that only this user can enter, restricts an existing one, and rejects one of another user. Node cannot
 * identify the peer of a socket, so the folder's permissions protect it.
 */
export function ensurePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const { mode, uid } = statSync(path)
    const own = process.getuid?.()
    // A link is acceptable if no other user can redirect it.
    if (uid !== own || lstatSync(path).uid !== own) {
      throw new CommonError('STORE_UNAVAILABLE', {
        cause: `${path} belongs to another user`,
        hint: wrongOwnerHint,
      })
    }
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700)
  } catch (error) {
    throw systemError(error, path)
  }
}
