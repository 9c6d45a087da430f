/** What a tool sees of the machine: its approved capabilities, limited to those of the calling agent. */

import { existsSync } from 'node:fs'

import { formatCapability, type Capability } from '../../core/capability.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import type { Folder } from '../../sandbox/sandbox.ts'
import { isInFolder, readPattern } from '../files/path-pattern.ts'
import { realPathOf } from '../real-path.ts'
import { foldersFor, type CommandView, type ShellGrants } from '../shell/confinement.ts'

export type ViewTerms = Omit<ShellGrants, 'grants'>

export function isAboutFiles({ kind }: Capability): boolean {
  return kind === 'fs:read' || kind === 'fs:write'
}

/** The view that these capabilities give a tool. A program can read what it can write. */
export function toolSees(capabilities: readonly Capability[], terms: ViewTerms): CommandView {
  const grants = capabilities.flatMap((one): Capability[] =>
    one.kind === 'fs:write' ? [{ ...one, kind: 'fs:read' }, one] : [one],
  )
  return foldersFor({ grants, ...terms })
}

/**
 * Why no tool can get access to this path, regardless of approval; undefined if it can, or if the path does not exist yet.
 */
export function whyNotGrantable(capability: Capability, terms: ViewTerms): string | undefined {
  if (!isAboutFiles(capability)) return undefined
  const { workspace, home = homeFolder() } = terms
  const { names = [] } = readPattern(capability.scope ?? '**', { workspace, home: realPathOf(home) }) ?? {}
  const path = `/${names.join('/')}`
  const refuse = (why: string): string =>
    `${formatCapability(capability)} cannot be granted to a tool: ${why}`
  try {
    if (!existsSync(path) || toolSees([capability], terms).folders.length > 0) return undefined
  } catch (error) {
    if (error instanceof CodedError) return refuse(error.message)
    throw error
  }
  return refuse(
    realPathOf(path) === path
      ? 'it belongs to the system, or to contextd itself'
      : 'it is reached through a link; name the place itself',
  )
}

/** The intersection of both views: the lesser access to each folder, and everything that either hides or guards. */
export function narrowView(tool: CommandView, agent: CommandView): CommandView {
  const folders = tool.folders.flatMap((folder): Folder[] => {
    const around = agent.folders.findLast(({ path }) => isInFolder(folder.path, path))
    const within = agent.folders.filter(({ path }) => path !== folder.path && isInFolder(path, folder.path))
    return [
      ...(around === undefined ? [] : [{ path: folder.path, access: lesser(folder, around) }]),
      ...within.map((below) => ({ path: below.path, access: lesser(folder, below) })),
    ]
  })
  const isBelow = (path: string): boolean =>
    folders.some((folder) => path !== folder.path && isInFolder(path, folder.path))
  return {
    folders,
    hidden: [...new Set([...tool.hidden, ...agent.hidden])].filter(isBelow),
    guarded: [...new Set([...tool.guarded, ...agent.guarded])].filter(isBelow),
  }
}

/** Whether `agent` has all of these folders with at least that access. */
export function coversFolders(agent: readonly Folder[], wanted: readonly Folder[]): boolean {
  return wanted.every((folder) => {
    const around = agent.findLast(({ path }) => isInFolder(folder.path, path))
    return around !== undefined && lesser(folder, around) === folder.access
  })
}

function lesser(one: Folder, other: Folder): Folder['access'] {
  return one.access === 'write' && other.access === 'write' ? 'write' : 'read'
}
