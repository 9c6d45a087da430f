/** What a tool sees of the machine: what was approved for it, as far as the agent that calls it may. */

import type { Folder } from '../../sandbox/sandbox.ts'
import { isWithin } from '../files/path-pattern.ts'
import type { SeenByCommands } from '../shell/confinement.ts'

/** What both views have: of each folder the lesser access, and everything that either hides or guards. */
export function narrowView(tool: SeenByCommands, agent: SeenByCommands): SeenByCommands {
  const folders = tool.folders.flatMap((folder): Folder[] => {
    const around = agent.folders.findLast(({ path }) => isWithin(folder.path, path))
    const within = agent.folders.filter(({ path }) => path !== folder.path && isWithin(path, folder.path))
    return [
      ...(around === undefined ? [] : [{ path: folder.path, access: lesser(folder, around) }]),
      ...within.map((below) => ({ path: below.path, access: lesser(folder, below) })),
    ]
  })
  const isBelow = (path: string): boolean =>
    folders.some((folder) => path !== folder.path && isWithin(path, folder.path))
  return {
    folders,
    hidden: [...new Set([...tool.hidden, ...agent.hidden])].filter(isBelow),
    guarded: [...new Set([...tool.guarded, ...agent.guarded])].filter(isBelow),
  }
}

/** Whether `agent` has all of these folders, each with that access. */
export function coversFolders(agent: readonly Folder[], wanted: readonly Folder[]): boolean {
  return wanted.every((folder) => {
    const around = agent.findLast(({ path }) => isWithin(folder.path, path))
    return around !== undefined && lesser(folder, around) === folder.access
  })
}

function lesser(one: Folder, other: Folder): Folder['access'] {
  return one.access === 'write' && other.access === 'write' ? 'write' : 'read'
}
