import { CodedError } from '../errors/coded-error.ts'
import { CommonError } from '../errors/common-error.ts'

const systemCauses: Readonly<Record<string, string>> = {
  EACCES: 'access was denied',
  EPERM: 'the file belongs to another user',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'a part of the path does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a part of the path is not a folder',
}

/** Converts file system errors that users can fix to STORE_UNAVAILABLE; returns any other error unchanged. */
export function systemError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof CodedError) return error
  const cause = systemCauses[(error as NodeJS.ErrnoException).code ?? '']
  if (cause === undefined) return error
  return new CommonError('STORE_UNAVAILABLE', { cause: `${path}: ${cause}`, path }, { cause: error })
}
