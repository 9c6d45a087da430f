/** Plans everything that `ctxd init` will write for the chosen clients, without writing it. */

import type { DoorSettings } from '../../../clients/claude-code/init-door.ts'
import type { Platform } from '../../../clients/find-clients.ts'
import type { ClientFile, Remembered } from '../../../clients/init/client-file.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { setKey } from '../../../platform/config/edit-config.ts'
import type { loadConfig } from '../../../platform/config/load-config.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { checkWritable, readFileText, type FileChange } from '@contextd/shared/changes/change'
import type { ModeChoice } from './choices.ts'
import {
  isDoorUsedElsewhere,
  noDoor,
  planDoor,
  providerChange,
  type BehindDoor,
  type DoorPlan,
} from './door.ts'
import type { InitOptions } from './init.ts'
import { movedBefore, noMove, planMove, type Move } from './move-servers.ts'
import { planOpenCodeDoor, type OpenCodeDoorPlan } from './opencode-door.ts'
import {
  anyDoor,
  claudeDoorFiles,
  clientFilesOf,
  planChanges,
  planUndo,
  serversFileOf,
  toolFiles,
  type InitSetup,
  type Planned,
} from './plan.ts'
import { programWords } from './program.ts'
import { readUndoJournal, type UndoJournal } from './undo-journal.ts'

export interface SetUpRequest {
  readonly options: InitOptions
  /** Undefined for the user's own folders. */
  readonly project: string | undefined
  readonly chosen: readonly Platform[]
  readonly mode: ModeChoice
  /** The user's configuration. */
  readonly loaded: ReturnType<typeof loadConfig>
}

/** What the files depend on, besides the request. */
export interface SetUpParts {
  readonly journal: UndoJournal
  readonly door: DoorPlan
  readonly openCode: OpenCodeDoorPlan
  readonly move: Move
  /** The command line that runs contextd. */
  readonly program: InitSetup['program']
}

export interface SetUpPlan extends SetUpParts, Planned {
  /** The clients' files, changed or not. */
  readonly files: readonly ClientFile[]
}

export async function planSetUp(request: SetUpRequest, io: CliIo): Promise<SetUpPlan> {
  const parts = await planParts(request, io)
  const files = filesOf(request, parts, io)
  const planned = planFiles(request, parts, files, io)
  for (const change of planned.changes) checkWritable(change)
  return { ...parts, ...planned, files }
}

async function planParts({ options, project, chosen, loaded }: SetUpRequest, io: CliIo): Promise<SetUpParts> {
  const journal = readUndoJournal(resolvePaths(io.env).state, project ?? 'user')
  const place = { env: io.env, project }
  const sourceFiles = chosen.map((client) => ({ client, path: serversFileOf(client, place) }))
  const wantsDoor = options.door !== false && chosen.includes('claude-code')
  return {
    journal,
    door: wantsDoor ? await planDoor(project, loaded, io) : noDoor,
    openCode: planOpenCodeDoor(options, loaded.config, chosen, io),
    move: options.moveServers ? await planMove(sourceFiles, project, io) : noMove,
    program: programWords(io.env.PATH ?? ''),
  }
}

/** Each file with our part added. */
function filesOf(
  { options, project, chosen, mode }: SetUpRequest,
  { journal, door, openCode, move, program }: SetUpParts,
  { env }: CliIo,
): ClientFile[] {
  const setup: InitSetup = {
    env,
    project,
    program,
    mode: mode.mode,
    declareAgents: options.declareAgents === true,
    ...(door.settings && { door: door.settings }),
    openCodeDoor: openCode.isOn,
    moved: (path) => [
      ...movedBefore(journal.files, path),
      ...move.servers.filter((server) => server.path === path).map(({ name }) => name),
    ],
  }
  return onePerPath([
    ...(options.door === true
      ? claudeDoorFiles(setup, requireDoor(door))
      : chosen.flatMap((platform) => clientFilesOf(platform, setup))),
    ...(options.tools ? toolFiles(setup) : []),
    ...(move.file === undefined ? [] : [move.file]),
  ])
}

/** The changes to these files and to our configuration, and the undo journal after them. */
function planFiles(
  request: SetUpRequest,
  parts: SetUpParts,
  files: readonly ClientFile[],
  { env }: CliIo,
): Planned {
  const { project, mode } = request
  const { journal, door, openCode } = parts
  const { configFile } = resolvePaths(env)
  const dropped = planDropped(request, parts, env)
  const planned = planChanges(files, dropped.remembered, project)
  const providers = { anthropic: door.provider, others: openCode.providers }
  const own = planConfig(configFile, mode.isNew ? mode.mode : undefined, providers, journal.files)
  const written = [...planned.changes, ...own.changes]
  return {
    changes: [
      ...dropped.changes.filter(({ path }) => !written.some((change) => change.path === path)),
      ...written,
    ],
    remembered: [
      ...planned.remembered.filter(({ path }) => path !== own.remembered?.path),
      ...(own.remembered === undefined ? [] : [own.remembered]),
    ],
  }
}

/** The user's new configuration, in one step. */
function planConfig(
  path: string,
  mode: InitSetup['mode'] | undefined,
  providers: BehindDoor,
  journal: readonly Remembered[],
): { changes: FileChange[]; remembered?: Remembered } {
  const from = readFileText(path)
  const withMode = mode === undefined ? (from ?? '') : setKey(from ?? '', 'client.mode', mode, path)
  const earlier = journal.find((one) => one.path === path)
  const { text: to, remembered } = providerChange(withMode, providers, earlier, path)
  return { changes: to === (from ?? '') ? [] : [{ path, from, to }], ...(remembered && { remembered }) }
}

/** If the door is no longer wanted, undoes what an earlier run wrote for it. */
function planDropped(
  { project, chosen }: SetUpRequest,
  { door, journal }: SetUpParts,
  env: NodeJS.ProcessEnv,
): Planned {
  if (door.settings !== undefined || !chosen.includes('claude-code')) {
    return { changes: [], remembered: journal.files }
  }
  const paths = resolvePaths(env)
  const files = claudeDoorFiles({ env, project }, anyDoor)
  const isShared = isDoorUsedElsewhere(paths, journal.file)
  const only = new Set([...files.map(({ path }) => path), ...(isShared ? [] : [paths.configFile])])
  return planUndo(files, journal.files, project, only)
}

function requireDoor({ settings, notes }: DoorPlan): DoorSettings {
  if (settings !== undefined) return settings
  throw new ContextdError('USAGE', { problem: notes[0] ?? '--door is for Claude Code' })
}

/** Files that two clients share are written once. */
function onePerPath<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}
