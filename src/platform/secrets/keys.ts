import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { storeError } from '../files/store-error.ts'

const keyBytes = 32

/** The key in the file, created on first use. Concurrent processes all receive the same one. */
export function loadOrCreateKey(path: string): Buffer {
  return readKey(path) ?? createKey(path, randomBytes(keyBytes))
}

/** The key in the file, or undefined. Throws if other users could read or replace it. */
export function readKey(path: string): Buffer | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, `cannot be opened (${(error as NodeJS.ErrnoException).code})`, error)
  }
  try {
    const found = fstatSync(file)
    refuseShared(path, found, 0o077)
    refuseShared(dirname(path), statSync(dirname(path)), 0o022)
    if (!found.isFile()) throw unusable(path, 'is not a file')
    if (found.size !== keyBytes) throw unusable(path, `has ${found.size} bytes instead of ${keyBytes}`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** Stores the key unless another process was faster; returns the stored one. */
export function createKey(path: string, key: Buffer): Buffer {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(file, key)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    // Unlike a rename, a link never replaces: either the complete key appears at once, or the other process's key
    // stays.
    linkSync(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      const known = storeError(error, path)
      throw known instanceof CodedError
        ? known
        : unusable(path, `cannot be created (${(error as NodeJS.ErrnoException).code})`, error)
    }
  } finally {
    rmSync(temporary, { force: true })
  }
  const found = readKey(path)
  if (found === undefined) throw unusable(path, 'disappeared while it was created')
  return found
}

function refuseShared(path: string, { uid, mode }: Stats, forbidden: number): void {
  // Windows has neither owners nor modes to check.
  if (process.getuid === undefined) return
  if (uid !== process.getuid()) throw unusable(path, `belongs to another user (uid ${uid})`)
  if ((mode & forbidden) !== 0) {
    throw unusable(path, `is open to other users (mode ${(mode & 0o777).toString(8)})`)
  }
}

function unusable(path: string, problem: string, cause?: unknown): ContextdError {
  const hint = `Keys are readable by their owner only (\`chmod go= ${path}\`). A lost key comes back only from a backup.`
  return new ContextdError('STORE_UNAVAILABLE', { cause: `${path} ${problem}`, hint, path }, { cause })
}
