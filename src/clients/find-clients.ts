import { delimiter, join } from 'node:path'

import { isExecutable } from '@contextd/shared/executable'

/** The clients that `ctxd init` sets up. */
export const platforms = ['claude-code', 'opencode'] as const
export type Platform = (typeof platforms)[number]

const programs: Readonly<Record<Platform, string>> = { 'claude-code': 'claude', opencode: 'opencode' }

export interface FoundClient {
  readonly id: Platform
  readonly path: string
}

/** The agent clients on this machine, by the programs on PATH. Runs none of them. */
export function findClients(path: string): FoundClient[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  return platforms.flatMap((id) => {
    const found = folders.map((folder) => join(folder, programs[id])).find(isExecutable)
    return found === undefined ? [] : [{ id, path: found }]
  })
}
