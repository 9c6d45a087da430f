/** Undoes what `ctxd init` wrote. */

import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { printJson, printLine, note, type CliIo } from '@contextd/shared/cli/output'
import { platforms, type Platform } from '../../../clients/find-clients.ts'
import type { ClientFile, Remembered } from '../../../clients/init/client-file.ts'
import type { Layout } from '../../../clients/init/layout.ts'
import type { InitOptions } from './init.ts'
import { anyExcludeFile, findAudiences } from './audience.ts'
import { carryOut } from './carry-out.ts'
import { checkWritable } from '@contextd/shared/changes/change'
import { isWithin } from '@contextd/shared/files/within'
import { otherJournals, readUndoJournal, type UndoJournal } from './undo-journal.ts'
import { allFilesOf, anyDoor, clientFilesOf, sharingOf, toolFiles } from './plan.ts'
import { planUndo, type Planned } from './plan-changes.ts'
import { hasOwnAddress, keepingMode, modeOf } from '../../../clients/init/provider-setting.ts'
import { isDoorUsedElsewhere } from './door.ts'
import { openDisplayMask } from './display-mask.ts'
import { programWords } from './program.ts'
import { describeFor, printAudiences } from './show-audiences.ts'
import { summarizePaths, printChanges } from '@contextd/shared/changes/show-changes'

export async function undoInit(options: InitOptions, project: string | undefined, io: CliIo): Promise<void> {
  const { json, dryRun } = options
  if (!dryRun) refuseInsideAgent(io.env)
  const root = project ?? 'user'
  const journal = readUndoJournal(resolvePaths(io.env).state, root)
  const { changes, remembered, files, notes } = planAll(options, project, journal, io)
  for (const change of changes) checkWritable(change)
  const changed = changes.map(({ path }) => path)
  const audiences = await findAudiences(changed, files, journal.files, project, io)

  const described = describeFor(changes, audiences, changes.length > 0 ? await openDisplayMask(io) : String)
  if (!json) {
    printChanges(described, io)
    printAudiences(described, io)
  }
  if (dryRun || changes.length === 0) {
    if (json) return printJson({ changes: described, notes, written: false }, io)
    for (const text of notes) note(text, io)
    return printLine(changes.length === 0 ? 'Nothing to do.' : 'Nothing was written.', io)
  }
  // This removes protection, so the user must confirm it.
  await requireOperator({
    ...io,
    details: changed.map((path) => `  ${path}`),
    question: `Remove contextd from ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}`,
  })
  const work = { changes, remembered, memory: journal.file, root, project, isApproved: true }
  await carryOut({ ...work, event: 'client-set-up-undone' }, io)
  if (json) return printJson({ changes: described, notes, written: true }, io)
  printLine(`Undone: ${summarizePaths(changed)}`, io)
  for (const text of notes) note(text, io)
}

interface UndoPlan extends Planned {
  readonly files: readonly ClientFile[]
  readonly notes: readonly string[]
}

function planAll(
  options: InitOptions,
  project: string | undefined,
  journal: UndoJournal,
  io: CliIo,
): UndoPlan {
  const { platform, tools } = options
  const isAll = platform === 'all' || (platform === undefined && tools !== true)
  const chosen = isAll ? platforms : platform === undefined ? [] : [platform]
  const { files, shared } = filesToUndo(
    { chosen, tools: isAll || tools === true },
    options,
    project,
    journal,
    io,
  )
  const paths = resolvePaths(io.env)
  // The door's upstream is shared by all projects.
  const isDoorShared = isDoorUsedElsewhere(paths, journal.file)
  const isKept = (path: string): boolean => path === paths.configFile && isDoorShared
  const isKnown = ({ kind }: Remembered): boolean =>
    isAll || (kind === 'agent' && chosen.includes('claude-code'))
  const known = journal.files.filter(isKnown).map(({ path }) => path)
  // Claude Code still needs its upstream if only OpenCode is undone.
  const isOpenCodes = chosen.includes('opencode') && !journal.files.some(hasOwnAddress)
  const ofDoor = chosen.includes('claude-code') || isOpenCodes ? [paths.configFile] : []
  const only = new Set(
    [...files.map(({ path }) => path), ...known, ...ofDoor].filter((path) => !isKept(path)),
  )
  // The mode applies to all projects.
  const isModeKept = !isAll || otherJournals(paths, journal.file).length > 0
  const remembered = isModeKept ? journal.files.map(keepingMode) : journal.files
  const planned = planUndo(files, remembered, project, only)
  const own = journal.files.find(({ path }) => path === paths.configFile)
  return {
    ...planned,
    files,
    notes: [
      ...(shared.length > 0
        ? [
            `the files that the team shares stay; \`ctxd init --undo --shared\` removes contextd from them: ${shared.join(', ')}`,
          ]
        : []),
      ...(isDoorShared && own !== undefined
        ? [`${paths.configFile} keeps the addresses behind the model door: other projects use it`]
        : []),
      ...modeNotes(own, isModeKept || isDoorShared, paths.configFile),
    ],
  }
}

function modeNotes(own: Remembered | undefined, isKept: boolean, configFile: string): string[] {
  const mode = own === undefined ? undefined : modeOf(own.after)
  if (mode === undefined || mode === modeOf(own?.before ?? '') || !isKept) return []
  return [
    `client.mode stays ${mode} in ${configFile}: it applies to your other projects too; \`ctxd config set client.mode\` changes it`,
  ]
}

/** Files that somebody else shared are not this user's to remove. */
function filesToUndo(
  { chosen, tools }: { readonly chosen: readonly Platform[]; readonly tools: boolean },
  options: InitOptions,
  project: string | undefined,
  journal: UndoJournal,
  io: CliIo,
): { files: ClientFile[]; shared: string[] } {
  const known = new Set(journal.files.map(({ path }) => path))
  const setup = {
    env: io.env,
    project,
    program: programWords(io.env.PATH ?? ''),
    mode: 'friendly',
    declareAgents: true,
    layout: (): Layout => ({ kind: 'personal' }),
    known,
    moved: () => [],
    door: anyDoor,
    openCodeDoor: true,
  } as const
  const ofTools = tools ? toolFiles(setup) : []
  if (project === undefined) {
    return { files: [...chosen.flatMap((one) => clientFilesOf(one, setup)), ...ofTools], shared: [] }
  }
  const isShared = platforms.some((one) => sharingOf(one, project) !== undefined)
  const all = chosen.flatMap((one) => allFilesOf(one, setup))
  const isTeams = ({ path, ignored }: ClientFile): boolean =>
    isShared && !options.shared && ignored === undefined && !known.has(path) && isWithin(project, path)
  const files = [...all.filter((file) => !isTeams(file)), ...ofTools]
  const teams = all.filter(isTeams)
  const shared = planUndo(teams, [], project).changes.map(({ path }) => path)
  return { files: [...files, ...anyExcludeFile(files, project)], shared }
}
