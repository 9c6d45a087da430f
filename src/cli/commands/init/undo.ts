/** Undoes what `ctxd init` wrote. */

import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { printJson, printLine, note, type CliIo } from '@contextd/shared/cli/output'
import { platforms } from '../../../clients/find-clients.ts'
import type { InitOptions } from './init.ts'
import { carryOut } from './carry-out.ts'
import { checkWritable } from '@contextd/shared/changes/change'
import { readUndoJournal } from './undo-journal.ts'
import { anyDoor, clientFilesOf, planUndo, toolFiles } from './plan.ts'
import { hasOwnAddress } from '../../../clients/init/provider-setting.ts'
import { isDoorUsedElsewhere } from './door.ts'
import { openDisplayMask } from './display-mask.ts'
import { programWords } from './program.ts'
import { describeFileChanges, summarizePaths, printChanges } from '@contextd/shared/changes/show-changes'

export async function undoInit(options: InitOptions, project: string | undefined, io: CliIo): Promise<void> {
  const { json, dryRun, platform, tools } = options
  if (!dryRun) refuseInsideAgent(io.env)
  const root = project ?? 'user'
  const memory = readUndoJournal(resolvePaths(io.env).state, root)
  const setup = {
    env: io.env,
    project,
    program: programWords(io.env.PATH ?? ''),
    mode: 'friendly',
    declareAgents: true,
    moved: () => [],
    door: anyDoor,
    openCodeDoor: true,
  } as const
  const isAll = platform === 'all' || (platform === undefined && tools !== true)
  const chosen = isAll ? platforms : platform === undefined ? [] : [platform]
  const files = [
    ...chosen.flatMap((one) => clientFilesOf(one, setup)),
    ...(isAll || tools === true ? toolFiles(setup) : []),
  ]
  const paths = resolvePaths(io.env)
  const isShared = isDoorUsedElsewhere(paths, memory.file)
  // The door's upstream is shared by all projects.
  const isKept = (path: string): boolean => path === paths.configFile && isShared
  const keepsAddress = isShared && memory.files.some(({ path }) => path === paths.configFile)
  const known = isAll ? memory.files.map(({ path }) => path) : []
  // Claude Code still needs its upstream if only OpenCode is undone.
  const isOpenCodes = chosen.includes('opencode') && !memory.files.some(hasOwnAddress)
  const ofDoor = chosen.includes('claude-code') || isOpenCodes ? [paths.configFile] : []
  const all = [...files.map(({ path }) => path), ...known, ...ofDoor]
  const only = new Set(all.filter((path) => !isKept(path)))
  const { changes, remembered } = planUndo(files, memory.files, project, only)
  for (const change of changes) checkWritable(change)

  const described = changes.length === 0 ? [] : describeFileChanges(changes, await openDisplayMask(io))
  if (!json) printChanges(described, io)
  if (dryRun || changes.length === 0) {
    if (json) return printJson({ changes: described, written: false }, io)
    return printLine(changes.length === 0 ? 'Nothing to do.' : 'Nothing was written.', io)
  }
  // This removes protection, so the user must confirm it.
  await requireOperator({
    ...io,
    details: changes.map(({ path }) => `  ${path}`),
    question: `Remove contextd from ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}`,
  })
  await carryOut(
    {
      changes,
      remembered,
      memory: memory.file,
      root,
      project,
      isApproved: true,
      event: 'client-set-up-undone',
    },
    io,
  )
  if (json) return printJson({ changes: described, written: true }, io)
  printLine(`Undone: ${summarizePaths(changes.map(({ path }) => path))}`, io)
  if (keepsAddress) {
    note(`${paths.configFile} keeps the addresses behind the model door: other projects use it`, io)
  }
}
