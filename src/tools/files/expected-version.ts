/** The version of a file that a write is based on, and the one it leaves. */

import { closeSync, constants } from 'node:fs'
import { basename } from 'node:path'

import * as z from 'zod'

import { ContextdError } from '../../core/errors/errors.ts'
import { descriptorPath, find, openFound, type OpenedPlace } from './confined-file.ts'
import type { WriteTarget } from './confined-write.ts'
import { hashOfBytes, readFileVersion, sha256Of, wholeBytes, type Version } from './file-version.ts'

/**
 * A version hash of contextd or the plain SHA-256. Explained in errors, not in the schema, which costs every model
 * tokens.
 */
export const fileHash = z
  .string()
  .refine(
    (hash) => /^(?:[0-9a-f]{24}|[0-9a-f]{64})$/i.test(hash),
    'the hash from an earlier answer, or the hexadecimal SHA-256 of the file',
  )

/** Undefined for a file that we may write but not read. */
export async function versionOf(found: OpenedPlace, key: Uint8Array): Promise<Version | undefined> {
  let file
  try {
    file = openFound(found)
    return await readFileVersion(file, key)
  } catch {
    return undefined
  } finally {
    file?.close()
  }
}

export interface ExpectedVersion {
  /** From the call. */
  readonly given: string | undefined
  /** What the caller has seen. */
  readonly seen: string | undefined
  readonly existing: OpenedPlace | undefined
  readonly current: Version | undefined
  readonly mayRead: boolean
}

/** Throws unless the file is the version that the call names, or else the one that the caller has seen. */
export async function requireExpected({
  given,
  seen,
  existing,
  current,
  mayRead,
}: ExpectedVersion): Promise<void> {
  const expected = given?.toLowerCase() ?? (existing && seen)
  if (expected === undefined) return
  if (existing === undefined || current === undefined) throw new ContextdError('FILE_CHANGED')
  if (expected === current.hash) return
  const isPlain = mayRead && expected.length === 64
  if (!isPlain || (await plainHash(existing)) !== expected) throw new ContextdError('FILE_CHANGED')
}

async function plainHash(existing: OpenedPlace): Promise<string> {
  const file = openFound(existing)
  try {
    return await sha256Of(file)
  } finally {
    file.close()
  }
}

/** Of our bytes, not of what others may have written since. */
export async function hashAfter(
  { folder, path }: WriteTarget,
  after: Buffer | undefined,
  key: Uint8Array,
): Promise<string | undefined> {
  if (after !== undefined && after.length <= wholeBytes) return hashOfBytes(after, key)
  const written = await find(descriptorPath(folder.descriptor, basename(path)), constants.O_NOFOLLOW)
  if (written === undefined) return undefined
  try {
    return (await versionOf(written, key))?.hash
  } finally {
    closeSync(written.descriptor)
  }
}
