/**
 * Which project files the user already knows to have no effect. Saying so with every command would teach them not to read
 * notes; `ctxd`, `ctxd trust` and `ctxd doctor` always show it.
 */

import { createHash } from 'node:crypto'

import { readSmallFile, readSmallText, replaceFile } from '@contextd/shared/files/small-file'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { resolvePaths } from '../../platform/files/paths.ts'

const maxNoted = 500

/** False if this was noted before and the file has not changed since; otherwise records it. */
export function isNews(text: string, file: string, env: NodeJS.ProcessEnv): boolean {
  const { notedFiles } = resolvePaths(env)
  const read = readSmallFile(file)
  const version = createHash('sha256')
    .update(read.kind === 'bytes' ? read.bytes : read.kind)
    .digest('hex')
  const noted = readNoted(notedFiles)
  if (noted[text] === version) return false
  // The newest are at the end.
  const { [text]: _, ...others } = noted
  const entries = [...Object.entries(others), [text, version] as const].slice(-maxNoted)
  try {
    replaceFile(notedFiles, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
  } catch {
    // Then it is noted again.
  }
  return true
}

function readNoted(file: string): JsonObject {
  try {
    const noted: unknown = JSON.parse(readSmallText(file) ?? '{}')
    return isJsonObject(noted) ? noted : {}
  } catch {
    return {}
  }
}
