import { isDeepStrictEqual } from 'node:util'

import { readSmallFile, type FileRead } from '@contextd/shared/files/small-file'
import type { Config } from './config-schema.ts'
import { loadConfig } from './load-config.ts'

/**
 * Reads the user's configuration on each call, for settings that apply without a restart. While the file is invalid,
 * the last valid configuration stays in effect, initially `started`.
 */
export function followConfig(userFile: string, started: Config): () => Config {
  let current = started
  let seen: FileRead | undefined
  return () => {
    const read = readSmallFile(userFile)
    if (isDeepStrictEqual(read, seen)) return current
    seen = read
    try {
      current = loadConfig({ userFile, isTrusted: () => false }).config
    } catch {
      // `ctxd doctor` reports what is wrong with it.
    }
    return current
  }
}
