import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs'

import { CommonError } from '../errors/common-error.ts'
import { systemError } from './system-error.ts'

const notYours =
  'It was left as it is. Take it back with `chown`, or set CONTEXTD_HOME or XDG_RUNTIME_DIR to a folder of your own.'

/**
 * Makes a folder that only this user can enter, closes one that others could, refuses one of another user.
 * Node cannot ask who is at the other end of a socket, so the folder is the lock.
 */
export function ensurePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const { mode, uid } = statSync(path)
    const own = process.getuid?.()
    // A link to a folder is as good as the folder, if nobody else can turn it elsewhere.
    if (uid !== own || lstatSync(path).uid !== own) {
      throw new CommonError('STORE_UNAVAILABLE', {
        cause: `${path} belongs to another user`,
        hint: notYours,
      })
    }
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700)
  } catch (error) {
    throw systemError(error, path)
  }
}
