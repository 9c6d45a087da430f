/** The status that `ctxd` alone prints, as data. Creates nothing, and skips parts that do not load. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Availability, StatusSnapshot, Unavailable } from '../../../compose/status-snapshot.ts'
import { CodedError } from '../../../core/errors/errors.ts'
import { resolvePaths, type Paths } from '../../../platform/files/paths.ts'
import type { Refused } from '../../../stages/audit/recent.ts'
import { VERSION } from '@contextd/shared/version'
import type { DaemonStatus } from '../../../servers/local/running-daemon.ts'
import { askDaemon } from '../../../servers/local/hook-socket.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { listCommands } from '../../../tools/shell/background/command-journal.ts'
import { askElsewhere, askRunning } from './running.ts'

export interface Glance {
  readonly version: string
  readonly project: string
  readonly daemon: {
    readonly running: boolean
    readonly pid?: number
    readonly started_at?: string
    readonly mcp?: string
    readonly workspace?: string
    /** Set for another machine. */
    readonly address?: string
  }
  readonly sandbox: { readonly state: 'ready' | 'off' | 'unavailable' | 'unknown'; readonly message: string }
  /** Absent if the rules do not load. */
  readonly agents?: readonly string[]
  readonly rules: readonly { readonly path: string; readonly state: string }[]
  readonly servers: readonly { readonly name: string; readonly state: string; readonly why?: string }[]
  /** Newest first. */
  readonly refusals: readonly Refused[]
  /** These four are known on the local machine only. */
  readonly held_back_today?: { readonly secrets: number; readonly answers: number }
  readonly memories?: number
  readonly checkpoints?: number
  /** Running commands of agents, in all projects. */
  readonly background?: number
  /** Problems and their fixes. */
  readonly attention: readonly Unavailable[]
}

const shownRefusals = 5

export function gatherFacts(io: CliIo, now: number = Date.now()): Promise<Glance> {
  return io.env.CONTEXTD_ADDR ? factsElsewhere(io, io.env.CONTEXTD_ADDR) : factsHere(io, now)
}

async function factsHere(io: CliIo, now: number): Promise<Glance> {
  const { takeStatusSnapshot } = await import('../../../compose/status-snapshot.ts')
  const paths = resolvePaths(io.env)
  const since = new Date(now).setHours(0, 0, 0, 0)
  const daemon = await askWhetherItRuns(paths)
  const snapshot = takeStatusSnapshot({ env: io.env, cwd: io.cwd, since, refusals: shownRefusals })
  const sandbox = await sandboxOf(daemon.status, snapshot, paths)
  const running = daemon.status === undefined ? undefined : await askRunning(io)
  const rules = running?.rules ?? ('value' in snapshot.rules ? snapshot.rules.value : undefined)
  const servers = running?.servers ?? serversIn(snapshot)
  const stored = 'value' in snapshot.records ? snapshot.records.value : undefined
  return {
    version: VERSION,
    project: io.cwd,
    daemon: daemonFacts(daemon.status),
    sandbox: { state: sandbox.state, message: sandbox.message },
    ...rulesFacts(rules),
    servers,
    refusals: stored?.refusals ?? [],
    held_back_today: stored?.heldBack ?? { secrets: 0, answers: 0 },
    memories: stored?.memories ?? 0,
    checkpoints: stored?.checkpoints ?? 0,
    background: listCommands(paths.commands).length,
    attention: [
      ...daemon.attention,
      ...Object.values(snapshot).flatMap((part: Availability<unknown>) => ('problem' in part ? [part] : [])),
      ...sandbox.attention,
      ...serverAttention(servers),
      ...rulesAttention(rules),
      ...keptAttention(rules),
    ],
  }
}

/** For another machine, only what its API reports. */
async function factsElsewhere(io: CliIo, address: string): Promise<Glance> {
  const { status, rules, servers, refusals } = await askElsewhere(io, shownRefusals)
  const sandbox = readSandbox(status.sandbox)
  return {
    version: VERSION,
    project: status.workspace,
    daemon: { ...daemonFacts(status), address },
    sandbox: { state: sandbox.state, message: sandbox.message },
    ...rulesFacts(rules),
    servers,
    refusals,
    attention: [...sandbox.attention, ...serverAttention(servers), ...rulesAttention(rules)],
  }
}

export interface RulesInForce {
  readonly agents: readonly string[]
  readonly files: readonly { readonly path: string; readonly state: string }[]
}

function rulesFacts(rules: RulesInForce | undefined): Pick<Glance, 'agents' | 'rules'> {
  const files = rules?.files ?? []
  return {
    ...(rules !== undefined && { agents: rules.agents }),
    rules: files.map(({ path, state }) => ({ path, state })),
  }
}

function rulesAttention(rules: RulesInForce | undefined): Unavailable[] {
  const untrusted = (rules?.files ?? []).filter(({ state }) => state === 'not trusted')
  return untrusted.map(({ path }) => ({
    problem: `${path} is not trusted, so ignored`,
    fix: 'Read it, then run `ctxd trust`.',
  }))
}

/** Files that exist but do not load are reported with their error already. */
function keptAttention(rules: RulesInForce | undefined): Unavailable[] {
  const gone = (rules?.files ?? []).filter(({ path, state }) => state === 'kept' && !existsSync(path))
  return gone.map(({ path }) => ({
    problem: `${path} is gone; the daemon still applies its last contents`,
    fix: 'Restore it, or restart without it: `ctxd stop`, then `ctxd start`.',
  }))
}

function daemonFacts(status: DaemonStatus | undefined): Glance['daemon'] {
  if (status === undefined) return { running: false }
  const { pid, started_at, mcp, workspace } = status
  return { running: true, pid, started_at, mcp, workspace }
}

const startIt = 'Start it with `ctxd start`.'

/** Hooks and stdio clients need no daemon, so its absence is no problem; one that does not respond is. */
async function askWhetherItRuns(
  paths: Paths,
): Promise<{ status?: DaemonStatus; attention: readonly Unavailable[] }> {
  try {
    const status = (await askDaemon(paths.hookSocket, { method: 'status' })) as DaemonStatus
    return { status, attention: [] }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    const { code, message, hint } = error.toObject()
    if (code !== 'DAEMON_NOT_RUNNING') return { attention: [{ problem: message, fix: hint ?? startIt }] }
    const isLeft = existsSync(paths.pidFile)
    const problem = `${paths.pidFile} exists, but its daemon does not respond`
    return { attention: isLeft ? [{ problem, fix: startIt }] : [] }
  }
}

type SandboxFacts = Glance['sandbox'] & { readonly attention: readonly Unavailable[] }

const sandboxOff = {
  state: 'off',
  message: 'OFF: agents run commands with all your permissions',
  attention: [{ problem: 'the sandbox is off', fix: 'Run `ctxd config set sandbox.mode on`.' }],
} as const

async function sandboxOf(
  status: DaemonStatus | undefined,
  { config }: StatusSnapshot,
  paths: Paths,
): Promise<SandboxFacts> {
  if (status !== undefined) return readSandbox(status.sandbox)
  if (!('value' in config)) {
    return { state: 'unknown', message: 'unknown: the configuration does not load', attention: [] }
  }
  if (config.value.sandbox.mode === 'off') return sandboxOff
  const { openSandbox } = await import('../../../compose/sandbox.ts')
  // Probing it leaves files behind, and printing the status must create none.
  const folder = mkdtempSync(join(tmpdir(), 'ctxd-look-'))
  const sandbox = openSandbox(config.value, { ...paths, state: folder })
  try {
    const state = await sandbox.state()
    if (!state.available) return unavailable(state.cause, state.fix)
    return {
      state: 'ready',
      message: `ready (${state.version})`,
      attention: [],
    }
  } finally {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function unavailable(cause: string, fix: string): SandboxFacts {
  const message = `tools that run code are disabled: ${cause}`
  return { state: 'unavailable', message, attention: [{ problem: message, fix }] }
}

/** The daemon reports it as text. */
function readSandbox(text: string): SandboxFacts {
  const [, cause, fix] = /^not available: (.*?)(?:; (.*))?$/s.exec(text) ?? []
  if (cause !== undefined) return unavailable(cause, fix ?? 'Run `ctxd doctor`.')
  return text.startsWith('OFF') ? sandboxOff : { state: 'ready', message: text, attention: [] }
}

/** Without a daemon only the files are known. */
function serversIn({ servers }: StatusSnapshot): Glance['servers'] {
  const named = 'value' in servers ? servers.value : []
  return named
    .filter(({ state }) => state !== 'passed over')
    .map(({ server: { name }, state, why }) => (why === undefined ? { name, state } : { name, state, why }))
}

const usable: ReadonlySet<string> = new Set(['ok', 'not started', 'starting', 'connected', 'disabled'])

function serverAttention(servers: Glance['servers']): Unavailable[] {
  return servers
    .filter(({ state }) => !usable.has(state))
    .map(({ name, state, why }) => ({
      problem: `server ${name}: ${why ?? state}`,
      fix:
        state === 'not trusted'
          ? 'Read its file, then run `ctxd trust`.'
          : `Run \`ctxd upstream test ${name}\`.`,
    }))
}
