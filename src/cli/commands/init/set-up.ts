/** From choosing the client to writing the files. */

import type { DoorSettings } from '../../../clients/claude-code/init-door.ts'
import { findClients } from '../../../clients/find-clients.ts'
import type { Remembered } from '../../../clients/init/client-file.ts'
import { CodedError, ContextdError } from '../../../core/errors/errors.ts'
import { setKey } from '../../../platform/config/edit-config.ts'
import { loadConfig } from '../../../platform/config/load-config.ts'
import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import { resolvePaths, type Paths } from '../../../platform/files/paths.ts'
import { ensureClientKey } from '../../support/client-key.ts'
import { note, printJson, printLine, type CliIo } from '@contextd/shared/cli/output'
import type { InitOptions } from './init.ts'
import { noteSecrets } from '../upstream/secrets.ts'
import { sayWhoMay, whoMay } from '../upstream/who-may.ts'
import { checkWritable, readFileText, type FileChange } from '@contextd/shared/changes/change'
import { lintWritten } from './lint-written.ts'
import { readUndoJournal, type UndoJournal } from './undo-journal.ts'
import { movedBefore, noMove, planMove } from './move-servers.ts'
import {
  anyDoor,
  claudeDoorFiles,
  clientFilesOf,
  userSettingsFile,
  planChanges,
  planUndo,
  platforms,
  serversFileOf,
  toolFiles,
  type Planned,
  type Platform,
  type InitSetup,
} from './plan.ts'
import { openDisplayMask } from './display-mask.ts'
import { programWords } from './program.ts'
import { describeFileChanges, summarizePaths, printChanges } from '@contextd/shared/changes/show-changes'
import { carryOut } from './carry-out.ts'
import {
  isDoorUsedElsewhere,
  noDoor,
  planDoor,
  providerChange,
  withKey,
  type BehindDoor,
  type DoorPlan,
} from './door.ts'
import { planOpenCodeDoor } from './opencode-door.ts'

type Mode = 'friendly' | 'strict'

export async function setUp(options: InitOptions, project: string | undefined, io: CliIo): Promise<void> {
  const { json, dryRun } = options
  if (!dryRun) refuseInsideAgent(io.env)
  const chosen = choosePlatforms(options, io)
  const paths = resolvePaths(io.env)
  const loaded = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
  const { config, sources } = loaded
  const before = config.client.mode
  const isKept = sources.has('client.mode')
  const isAsked = !dryRun && !isKept && chosen.length > 0
  const choice = options.mode ?? (isAsked ? await askMode(io) : undefined)
  const mode = choice ?? before

  const root = project ?? 'user'
  const memory = readUndoJournal(paths.state, root)
  const place = { env: io.env, project }
  const sourceFiles = chosen.map((client) => ({ client, path: serversFileOf(client, place) }))
  const wantsDoor = options.door !== false && chosen.includes('claude-code')
  const door = wantsDoor ? await planDoor(project, loaded, io) : noDoor
  const openCode = planOpenCodeDoor(options, config, chosen, io)
  const move = options.moveServers ? await planMove(sourceFiles, project, io) : noMove
  const program = programWords(io.env.PATH ?? '')
  const setup = {
    ...place,
    program,
    mode,
    declareAgents: options.declareAgents === true,
    ...(door.settings && { door: door.settings }),
    openCodeDoor: openCode.isOn,
    moved: (path: string) => [
      ...movedBefore(memory.files, path),
      ...move.servers.filter((server) => server.path === path).map(({ name }) => name),
    ],
  }
  const files = unique([
    ...(options.door === true
      ? claudeDoorFiles(place, requireDoor(door))
      : chosen.flatMap((platform) => clientFilesOf(platform, setup))),
    ...(options.tools ? toolFiles(place) : []),
    ...(move.file === undefined ? [] : [move.file]),
  ])
  const dropped = planDropped(chosen, door, memory, place, paths)
  const planned = planChanges(files, dropped.remembered, project)
  // Stored even if it is the default, so that the user is not asked again.
  const isNew = choice !== undefined && !(isKept && choice === before)
  const providers = { anthropic: door.provider, others: openCode.providers }
  const own = planConfig(paths.configFile, isNew ? mode : undefined, providers, memory.files)
  const changes = [
    ...dropped.changes.filter(
      ({ path }) => ![...planned.changes, ...own.changes].some((change) => change.path === path),
    ),
    ...planned.changes,
    ...own.changes,
  ]
  const remembered = [
    ...planned.remembered.filter(({ path }) => path !== own.remembered?.path),
    ...(own.remembered === undefined ? [] : [own.remembered]),
  ]
  for (const change of changes) checkWritable(change)

  const notes = [
    ...notesOn(
      chosen,
      [
        ...files.filter(({ kind }) => kind !== 'link').map(({ path }) => readFileText(path, project) ?? ''),
        ...(chosen.includes('claude-code') ? [readFileText(userSettingsFile(io.env)) ?? ''] : []),
      ],
      program,
      io,
    ),
    ...(options.tools && project !== undefined
      ? ['.claude/tools contains links to contextd on this machine: keep it out of the repository']
      : []),
    ...door.notes,
    ...(door.settings !== undefined && project !== undefined
      ? [
          '.claude/settings.local.json contains your model door key and is not shared; others on this project run `contextd init` for their own',
        ]
      : []),
    ...openCode.notes,
    ...move.left.map(({ name, path, why }) => `${name} stays in ${path}: ${why}`),
  ]
  const described = changes.length === 0 ? [] : describeFileChanges(changes, await openDisplayMask(io))
  const answer = {
    platforms: chosen,
    mode,
    door: door.settings !== undefined || openCode.isOn,
    program,
    changes: described,
    notes,
  }
  if (!json) printChanges(described, io)
  if (dryRun || changes.length === 0) {
    // The key may have been revoked since.
    if (openCode.isOn && !dryRun) await ensureClientKey('opencode', io)
    if (json) return printJson({ ...answer, written: false }, io)
    for (const text of notes) note(text, io)
    return printLine(changes.length === 0 ? 'Nothing to do.' : 'Nothing was written.', io)
  }

  const loosens = before === 'strict' && mode === 'friendly'
  const isApproved = await confirm(changes, loosens || move.file !== undefined || door.needsConfirmation, io)
  const complete = await withKey({ changes, remembered }, io)
  if (openCode.isOn) await ensureClientKey('opencode', io)
  await carryOut({ ...complete, memory: memory.file, root, project, isApproved, event: 'client-set-up' }, io)
  const allowed = await whoMay(
    move.servers.map(({ name }) => name),
    io,
  )
  const findings = await lintWritten(changes, project, io)
  if (json) {
    return printJson({ ...answer, written: true, backup: memory.file, findings, ...allowed }, io)
  }
  printLine(`Written: ${summarizePaths(changes.map(({ path }) => path))}`, io)
  for (const text of notes) note(text, io)
  for (const { file, line, message, fix } of findings) note(`${file}:${line}: ${message} ${fix}`, io)
  noteSecrets(move.secrets, move.file?.path ?? '', io)
  if (move.file !== undefined) sayWhoMay(allowed, io)
  note(`the previous files are in ${memory.file}; \`contextd init --undo\` restores them`, io)
}

function choosePlatforms({ platform, tools }: InitOptions, io: CliIo): Platform[] {
  if (platform === 'all') return [...platforms]
  if (platform !== undefined) return [platform]
  if (tools) return []
  const found = findClients(io.env.PATH ?? '').map(({ id }) => id)
  if (found.length > 0) return found
  throw new ContextdError('USAGE', {
    problem: 'no supported client is on the PATH',
    hint: `Choose one with --platform ${platforms.join('|')}.`,
  })
}

/** Undefined without a terminal. */
async function askMode(io: CliIo): Promise<Mode | undefined> {
  try {
    await requireOperator({
      ...io,
      details: [
        "friendly: agents keep the client's own shell and file tools, and their output is scrubbed",
        "strict: those are refused, and agents use contextd's, in the sandbox",
      ],
      question: 'Set up strict mode (no: friendly)',
    })
    return 'strict'
  } catch (error) {
    if (error instanceof CodedError && error.code === 'APPROVAL_REQUIRED') return 'friendly'
    if (error instanceof CodedError && error.code === 'OPERATOR_REQUIRED') return undefined
    throw error
  }
}

/** Whether the user approved. Without a terminal, changes that remove no protection proceed anyway. */
async function confirm(
  changes: readonly FileChange[],
  needsConfirmation: boolean,
  io: CliIo,
): Promise<boolean> {
  try {
    await requireOperator({
      ...io,
      details: changes.map(({ path }) => `  ${path}`),
      question: `Write ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}`,
    })
    return true
  } catch (error) {
    if (!needsConfirmation && error instanceof CodedError && error.code === 'OPERATOR_REQUIRED') return false
    throw error
  }
}

/** The user's new configuration, in one step. */
function planConfig(
  path: string,
  mode: Mode | undefined,
  providers: BehindDoor,
  memory: readonly Remembered[],
): { changes: FileChange[]; remembered?: Remembered } {
  const from = readFileText(path)
  const withMode = mode === undefined ? (from ?? '') : setKey(from ?? '', 'client.mode', mode, path)
  const earlier = memory.find((one) => one.path === path)
  const { text: to, remembered } = providerChange(withMode, providers, earlier, path)
  return { changes: to === (from ?? '') ? [] : [{ path, from, to }], ...(remembered && { remembered }) }
}

/** If the door is no longer wanted, undoes what an earlier run wrote for it. */
function planDropped(
  chosen: readonly Platform[],
  door: DoorPlan,
  memory: UndoJournal,
  place: Pick<InitSetup, 'env' | 'project'>,
  paths: Paths,
): Planned {
  if (door.settings !== undefined || !chosen.includes('claude-code')) {
    return { changes: [], remembered: memory.files }
  }
  const files = claudeDoorFiles(place, anyDoor)
  const isShared = isDoorUsedElsewhere(paths, memory.file)
  const only = new Set([...files.map(({ path }) => path), ...(isShared ? [] : [paths.configFile])])
  return planUndo(files, memory.files, place.project, only)
}

function requireDoor({ settings, notes }: DoorPlan): DoorSettings {
  if (settings !== undefined) return settings
  throw new ContextdError('USAGE', { problem: notes[0] ?? '--door is for Claude Code' })
}

/** Files that two clients share are written once. */
function unique<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

function notesOn(
  chosen: readonly Platform[],
  texts: readonly string[],
  program: readonly string[],
  io: CliIo,
): string[] {
  const found = new Set(findClients(io.env.PATH ?? '').map(({ id }) => id))
  const missing = chosen.filter((platform) => !found.has(platform))
  return [
    ...missing.map((platform) => `${platform} is not on the PATH`),
    ...(program[0] === 'contextd'
      ? []
      : ['contextd is not on the PATH, so the files contain its path on this machine']),
    ...(texts.some((text) => /"contextd@[^"]*"\s*:\s*true/.test(text))
      ? ['the contextd plugin is enabled too: use one of the two, or everything happens twice']
      : []),
    ...(texts.some((text) => /"disableAllHooks"\s*:\s*true/.test(text))
      ? ['the settings disable all hooks (disableAllHooks): nothing is scrubbed, and agents are not attested']
      : []),
  ]
}
