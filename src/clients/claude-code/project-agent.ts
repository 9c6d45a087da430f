import { join } from 'node:path'

import { isJsonObject } from '@contextd/shared/json/value'
import { readSmallFile } from '@contextd/shared/files/small-file'

const settings = ['settings.json', 'settings.local.json']

/**
 * Whether the project, and not the user, may have set the main thread's agent: the client reads `agent` from the
 * settings of any repository, even an untrusted one.
 */
export function isNamedByProject(agent: string, project: string): boolean {
  return settings.some((name) => mayName(agent, join(project, '.claude', name)))
}

/** The client may be able to read a file that we cannot. */
function mayName(agent: string, path: string): boolean {
  const read = readSmallFile(path)
  if (read.kind === 'missing') return false
  try {
    const value: unknown = read.kind === 'bytes' ? JSON.parse(read.bytes.toString()) : undefined
    return !isJsonObject(value) || value.agent === agent
  } catch {
    return true
  }
}
