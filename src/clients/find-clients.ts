import { delimiter, join } from 'node:path'

import { isExecutable } from '@contextd/shared/executable'

export interface FoundClient {
  readonly id: 'claude-code' | 'opencode'
  readonly path: string
}

const programs = [
  ['claude-code', 'claude'],
  ['opencode', 'opencode'],
] as const

/** The agent clients on this machine, by the programs on PATH. Runs none of them. */
export function findClients(path: string): FoundClient[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  return programs.flatMap(([id, program]) => {
    const found = folders.map((folder) => join(folder, program)).find(isExecutable)
    return found === undefined ? [] : [{ id, path: found }]
  })
}
