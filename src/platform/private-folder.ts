import { chmodSync, lstatSync, mkdirSync } from 'node:fs'

import { ContextdError } from '../core/errors.ts'

/**
 * Makes a folder that only this user can enter, closes one that others could, refuses one of another user.
 * Node cannot ask who is at the other end of a socket, so the folder is the lock.
 */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { mode, uid } = lstatSync(path)
  if (uid !== process.getuid?.()) {
    throw new ContextdError('STORE_UNAVAILABLE', { cause: `${path} belongs to another user` })
  }
  if ((mode & 0o077) !== 0) chmodSync(path, 0o700)
}
