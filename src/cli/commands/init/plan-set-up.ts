/** Plans everything that `ctxd init` will write for the chosen clients, without writing it. */

import { agentsToExtend } from '../../../clients/claude-code/init-agents.ts'
import type { DoorSettings } from '../../../clients/claude-code/init-door.ts'
import { platforms, type Platform } from '../../../clients/find-clients.ts'
import type { ClientFile, Remembered } from '../../../clients/init/client-file.ts'
import type { Layout } from '../../../clients/init/layout.ts'
import { keepingMode, modeOf } from '../../../clients/init/provider-setting.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { setKey } from '../../../platform/config/edit-config.ts'
import type { loadConfig } from '../../../platform/config/load-config.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { readClaudeSetup } from '@contextd/permissions/internal/read-setups'
import { checkWritable, readFileText, type FileChange } from '@contextd/shared/changes/change'
import { isWithin } from '@contextd/shared/files/within'
import { excludeFiles, findAudiences, type Audiences } from './audience.ts'
import { chooseAgentTools, type ModeChoice } from './choices.ts'
import {
  isDoorUsedElsewhere,
  noDoor,
  planDoor,
  withDoorProviders,
  type BehindDoor,
  type DoorPlan,
} from './door.ts'
import type { InitOptions } from './init.ts'
import { movedBefore, noMove, planMove, type Move } from './move-servers.ts'
import { planOpenCodeDoor, type OpenCodeDoorPlan } from './opencode-door.ts'
import { planChanges, planReplaced, planUndo, type Planned } from './plan-changes.ts'
import {
  allFilesOf,
  claudeDoorFiles,
  clientFilesOf,
  serversFileOf,
  sharingOf,
  toolFiles,
  usesSections,
  type InitSetup,
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
  readonly agents: AgentPlan
  /** The command line that runs contextd. */
  readonly program: InitSetup['program']
}

/** Agents of the project that strict mode would leave without tools. */
export interface AgentPlan {
  readonly files: readonly ClientFile[]
  /** Agents that stay without, because of the user's choice or their form. */
  readonly left: readonly string[]
}

export interface SetUpPlan extends SetUpParts, Planned {
  /** The clients' files, changed or not. */
  readonly files: readonly ClientFile[]
  /** Who gets each changed file. */
  readonly audiences: Audiences
  /** Of the chosen clients. */
  readonly layouts: ReadonlyMap<Platform, Layout>
}

export async function planSetUp(request: SetUpRequest, io: CliIo): Promise<SetUpPlan> {
  const { project, chosen } = request
  const parts = await planParts(request, io)
  const setup = setupOf(request, parts, io)
  const journal = parts.journal.files
  const ours = filesOf(request, parts, setup)
  const replaced = replacedFiles(request, setup)
  const files = [...ours, ...excludeFiles(ours, replaced, journal, project)]
  const planned = planFiles(request, parts, { files, replaced }, io)
  for (const change of planned.changes) checkWritable(change)
  const changed = planned.changes.map(({ path }) => path)
  const known = [...files, ...replaced.filter(({ path }) => !files.some((file) => file.path === path))]
  const audiences = await findAudiences(changed, known, planned.remembered, project, io)
  const layouts = new Map(chosen.map((platform) => [platform, setup.layout(platform)]))
  return { ...parts, ...planned, files, audiences, layouts }
}

async function planParts(request: SetUpRequest, io: CliIo): Promise<SetUpParts> {
  const { options, project, chosen, loaded } = request
  const journal = readUndoJournal(resolvePaths(io.env).state, project ?? 'user')
  const place = { env: io.env, project }
  const sourceFiles = chosen.map((client) => ({ client, path: serversFileOf(client, place) }))
  const wantsDoor = options.door !== false && chosen.includes('claude-code')
  return {
    journal,
    door: wantsDoor ? await planDoor(project, loaded, io) : noDoor,
    openCode: planOpenCodeDoor(options, loaded.config, chosen, io),
    move: options.moveServers ? await planMove(sourceFiles, project, io) : noMove,
    program: programOf(options, io),
    agents: await planAgents(request, io),
  }
}

async function planAgents({ options, project, chosen, mode }: SetUpRequest, io: CliIo): Promise<AgentPlan> {
  const isNeeded = mode.mode === 'strict' && chosen.includes('claude-code') && options.door !== true
  if (project === undefined || !isNeeded) return { files: [], left: [] }
  const { agents } = readClaudeSetup({ env: io.env, cwd: project, secretsIn: () => [] })
  const own = agents.filter(({ file }) => isWithin(project, file))
  const { files, left } = agentsToExtend(own)
  const paths = files.map(({ path }) => path)
  const isChosen = await chooseAgentTools(options, paths, io)
  return isChosen ? { files, left } : { files: [], left: [...left, ...paths] }
}

/** Colleagues have the program elsewhere. */
function programOf({ shared }: InitOptions, { env }: CliIo): InitSetup['program'] {
  const program = programWords(env.PATH ?? '')
  if (shared !== true || program[0] === 'contextd') return program
  throw new ContextdError('USAGE', {
    problem: 'contextd is not on the PATH, and shared files cannot contain its path on this machine',
    hint: 'Install contextd so that the command `contextd` works in a new terminal, then run this again.',
  })
}

function setupOf(
  { options, project, mode }: SetUpRequest,
  { journal, door, openCode, move, program }: SetUpParts,
  { env }: CliIo,
): InitSetup {
  return {
    env,
    project,
    program,
    mode: mode.mode,
    declareAgents: options.declareAgents === true,
    layout: (platform) => layoutOf(platform, options, project),
    known: new Set(journal.files.map(({ path }) => path)),
    ...(door.settings && { door: door.settings }),
    openCodeDoor: openCode.isOn,
    moved: (path) => [
      ...movedBefore(journal.files, path),
      ...move.servers.filter((server) => server.path === path).map(({ name }) => name),
    ],
  }
}

function layoutOf(platform: Platform, options: InitOptions, project: string | undefined): Layout {
  if (options.shared === true) return { kind: 'shared', sharing: options.require ? 'required' : 'optional' }
  const isShared = project !== undefined && sharingOf(platform, project) !== undefined
  return { kind: isShared ? 'joined' : 'personal' }
}

/** Each file with our part added. */
function filesOf(
  { options, chosen }: SetUpRequest,
  { door, move, agents }: SetUpParts,
  setup: InitSetup,
): ClientFile[] {
  return onePerPath([
    ...(options.door === true
      ? claudeDoorFiles(setup, requireDoor(door))
      : chosen.flatMap((platform) => clientFilesOf(platform, setup))),
    ...agents.files,
    ...(options.tools ? toolFiles(setup) : []),
    ...(move.file === undefined ? [] : [move.file]),
  ])
}

/**
 * What earlier runs may have written and this one does not: older versions, or the other layout. Files that the team
 * shares stay, and so do those that another client still needs.
 */
function replacedFiles({ options, project, chosen }: SetUpRequest, setup: InitSetup): ClientFile[] {
  if (project === undefined || options.door === true) return []
  const sections = platforms.some((platform) =>
    chosen.includes(platform) ? setup.layout(platform).kind !== 'personal' : usesSections(platform, project),
  )
  return chosen.flatMap((platform) => {
    const isJoined = setup.layout(platform).kind === 'joined'
    return allFilesOf(platform, setup).filter(
      ({ path, kind, ignored }) =>
        !(isJoined && ignored === undefined && isWithin(project, path)) && !(sections && kind === 'section'),
    )
  })
}

/** The changes to these files and to our configuration, and the undo journal after them. */
function planFiles(
  request: SetUpRequest,
  parts: SetUpParts,
  { files, replaced }: { readonly files: readonly ClientFile[]; readonly replaced: readonly ClientFile[] },
  { env }: CliIo,
): Planned {
  const { project, mode } = request
  const { journal, door, openCode } = parts
  const { configFile } = resolvePaths(env)
  const dropped = planDropped(request, parts, { files, replaced }, env)
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
  const to = withDoorProviders(withMode, providers, path)
  const earlier = journal.find((one) => one.path === path)
  if (earlier === undefined && to === (from ?? '')) return { changes: [] }
  const change: Remembered = { path, kind: 'toml', before: earlier?.before ?? (from || null), after: to }
  // A mode that the user set since is not ours to take back.
  const isOurs = mode !== undefined || (earlier !== undefined && modeOf(earlier.after) === modeOf(to))
  return {
    changes: to === (from ?? '') ? [] : [{ path, from, to }],
    remembered: isOurs ? change : keepingMode(change),
  }
}

/** Undoes what an earlier run wrote for other places, and for the door if it is no longer wanted. */
function planDropped(
  { project, chosen }: SetUpRequest,
  { door, journal }: SetUpParts,
  { files, replaced }: { readonly files: readonly ClientFile[]; readonly replaced: readonly ClientFile[] },
  env: NodeJS.ProcessEnv,
): Planned {
  const wanted = new Set(files.map(({ path }) => path))
  const gone = replaced.filter(({ path }) => !wanted.has(path))
  const paths = resolvePaths(env)
  const isDoorDropped = door.settings === undefined && chosen.includes('claude-code')
  const isConfigReverted = isDoorDropped && !isDoorUsedElsewhere(paths, journal.file)
  const remembered = journal.files.map((one) => (one.path === paths.configFile ? keepingMode(one) : one))
  const config = planUndo([], remembered, project, new Set(isConfigReverted ? [paths.configFile] : []))
  const replacing = planReplaced(gone, config.remembered, project)
  return { changes: [...config.changes, ...replacing.changes], remembered: replacing.remembered }
}

function requireDoor({ settings, notes }: DoorPlan): DoorSettings {
  if (settings !== undefined) return settings
  throw new ContextdError('USAGE', { problem: notes[0] ?? '--door is for Claude Code' })
}

/** Files that two clients share are written once. */
function onePerPath<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}
