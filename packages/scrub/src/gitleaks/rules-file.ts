/** Reads files with rules in gitleaks' format from disk. */

import { dirname, resolve } from 'node:path'

import { CommonError } from '@contextd/shared/errors/common-error'
import { readSmallFile } from '@contextd/shared/files/small-file'
import type { RulesFile } from './user-rules.ts'

/** A file that the user named. Paths under `extend.path` are relative to the file that contains them. */
export function readRulesFile(file: string, mayUnmask: boolean): RulesFile {
  const pathOf = new Map<string, string>()
  const load = (extended: string, from: string): string => {
    const path = resolve(dirname(pathOf.get(from) ?? from), extended)
    pathOf.set(extended, path)
    return readText(path)
  }
  return { file, text: orInvalid(file, () => readText(file)), mayUnmask, load }
}

/** Decodes a file that was read already. Throws CONFIG_INVALID unless it is UTF-8. */
export function rulesText(file: string, bytes: Uint8Array): string {
  return orInvalid(file, () => decode(bytes))
}

function orInvalid(file: string, read: () => string): string {
  try {
    return read()
  } catch (error) {
    throw new CommonError('CONFIG_INVALID', {
      problem: `${file}: ${(error as Error).message}`,
      file,
      hint: 'Correct the path, the permissions or the encoding of the file.',
    })
  }
}

function readText(file: string): string {
  const read = readSmallFile(file)
  if (read.kind === 'bytes') return decode(read.bytes)
  throw new Error(read.kind === 'missing' ? 'does not exist' : read.why)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('is not UTF-8 text')
  }
}
