import { join } from 'node:path'

import { isJsonObject } from '@contextd/shared/json/value'
import { readSmallFile } from '@contextd/shared/files/small-file'

const settings = ['settings.json', 'settings.local.json']

/**
 * Whether it may be the project that has the main thread run as this agent, and not the person: the client takes `agent`
 * from the settings of any repository, also of one that nobody trusts.
 */
export function isNamedByProject(agent: string, project: string): boolean {
  return settings.some((name) => mayName(agent, join(project, '.claude', name)))
}

/** What cannot be read here may still be read by the client. */
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
