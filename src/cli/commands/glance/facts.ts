/** What `ctxd` alone shows, as data. Looks without making anything, and goes on past whatever does not load. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Known, Standing, Trouble } from '../../../compose/standing.ts'
import { ContextdError } from '../../../core/errors.ts'
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { resolvePaths, type Paths } from '../../../platform/paths.ts'
import { VERSION } from '../../../platform/version.ts'
import type { DaemonStatus } from '../../../servers/daemon.ts'
import { askDaemon } from '../../../servers/hook-socket.ts'
import { withControl } from '../../control.ts'
import type { CliIo } from '../../ui/output.ts'

export interface Glance {
  readonly version: string
  readonly project: string
  readonly daemon: {
    readonly running: boolean
    readonly pid?: number
    readonly started_at?: string
    readonly mcp?: string
    readonly workspace?: string
  }
  readonly sandbox: { readonly state: 'ready' | 'off' | 'unavailable' | 'unknown'; readonly message: string }
  /** Absent where the rules do not load. */
  readonly agents?: readonly string[]
  readonly rules: readonly { readonly path: string; readonly state: string }[]
  readonly servers: readonly { readonly name: string; readonly state: string; readonly why?: string }[]
  /** Newest first. */
  readonly refusals: readonly {
    readonly time: string
    readonly agent: string
    readonly server: string
    readonly tool: string
    readonly code: string
    readonly rule?: string
    readonly call?: string
  }[]
  readonly held_back_today: { readonly secrets: number; readonly answers: number }
  readonly memories: number
  readonly checkpoints: number
  /** What is wrong, and what to do about it. */
  readonly attention: readonly Trouble[]
}

const shownRefusals = 5

export async function lookAround(io: CliIo, now: number = Date.now()): Promise<Glance> {
  const { takeStanding } = await import('../../../compose/standing.ts')
  const paths = resolvePaths(io.env)
  const since = new Date(now).setHours(0, 0, 0, 0)
  const daemon = await askWhetherItRuns(paths)
  const standing = takeStanding({ env: io.env, cwd: io.cwd, since, refusals: shownRefusals })
  const sandbox = await sandboxOf(daemon.status, standing, paths)
  const servers = await serversOf(daemon.status, standing, io)
  const files = 'value' in standing.rules ? standing.rules.value.files : []
  const kept = 'value' in standing.records ? standing.records.value : undefined
  return {
    version: VERSION,
    project: io.cwd,
    daemon: daemonFacts(daemon.status),
    sandbox: { state: sandbox.state, message: sandbox.message },
    ...('value' in standing.rules && { agents: standing.rules.value.agents }),
    rules: files.map(({ path, state }) => ({ path, state })),
    servers,
    refusals: kept?.refusals ?? [],
    held_back_today: kept?.heldBack ?? { secrets: 0, answers: 0 },
    memories: kept?.memories ?? 0,
    checkpoints: kept?.checkpoints ?? 0,
    attention: [
      ...daemon.attention,
      ...Object.values(standing).flatMap((part: Known<unknown>) => ('problem' in part ? [part] : [])),
      ...sandbox.attention,
      ...serverAttention(servers),
      ...files
        .filter(({ state }) => state === 'not trusted')
        .map(({ path }) => ({
          problem: `${path} is not trusted, so without effect`,
          fix: 'Read it, then run `ctxd trust`.',
        })),
    ],
  }
}

function daemonFacts(status: DaemonStatus | undefined): Glance['daemon'] {
  if (status === undefined) return { running: false }
  const { pid, started_at, mcp, workspace } = status
  return { running: true, pid, started_at, mcp, workspace }
}

const startIt = 'Start it with `ctxd server start`.'

/** Hooks and clients on stdio do without a daemon, so that none is no trouble; one that ought to answer is. */
async function askWhetherItRuns(
  paths: Paths,
): Promise<{ status?: DaemonStatus; attention: readonly Trouble[] }> {
  try {
    const status = (await askDaemon(paths.hookSocket, { method: 'status' }, 2000)) as DaemonStatus
    return { status, attention: [] }
  } catch (error) {
    if (!(error instanceof ContextdError)) throw error
    const isLeft = existsSync(paths.pidFile)
    const problem = `${paths.pidFile} is there, but its daemon does not answer`
    return { attention: isLeft ? [{ problem, fix: startIt }] : [] }
  }
}

type SandboxFacts = Glance['sandbox'] & { readonly attention: readonly Trouble[] }

const sandboxOff = {
  state: 'off',
  message: 'OFF: commands of agents run with all your rights',
  attention: [{ problem: 'the sandbox is off', fix: 'Run `ctxd config set sandbox.mode on`.' }],
} as const

async function sandboxOf(
  status: DaemonStatus | undefined,
  { config }: Standing,
  paths: Paths,
): Promise<SandboxFacts> {
  if (status !== undefined) return readSandbox(status.sandbox)
  if (!('value' in config)) {
    return { state: 'unknown', message: 'not known: the configuration does not load', attention: [] }
  }
  if (config.value.sandbox.mode === 'off') return sandboxOff
  const { openSandbox } = await import('../../../compose/sandbox.ts')
  // Trying it leaves files behind, and a look must leave none where there were none.
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
  const message = `tools that run code are off: ${cause}`
  return { state: 'unavailable', message, attention: [{ problem: message, fix }] }
}

/** The daemon says it in words. */
function readSandbox(said: string): SandboxFacts {
  const [, cause, fix] = /^not available: (.*?)(?:; (.*))?$/s.exec(said) ?? []
  if (cause !== undefined) return unavailable(cause, fix ?? 'Run `ctxd doctor`.')
  return said.startsWith('OFF') ? sandboxOff : { state: 'ready', message: said, attention: [] }
}

/** The daemon knows how its servers do; without one, only what the files say is known. */
async function serversOf(
  status: DaemonStatus | undefined,
  { servers }: Standing,
  io: CliIo,
): Promise<Glance['servers']> {
  const named = 'value' in servers ? servers.value : []
  const inFiles = named
    .filter(({ state }) => state !== 'passed over')
    .map(({ server, state, why }) => ({ name: server.name, state, ...(why !== undefined && { why }) }))
  if (status === undefined || inFiles.length === 0) return inFiles
  const health = await askHealth(io)
  return inFiles.map((server) => ({ ...server, ...(server.state === 'ok' && health.get(server.name)) }))
}

type Health = Pick<Glance['servers'][number], 'state' | 'why'>

async function askHealth(io: CliIo): Promise<ReadonlyMap<string, Health>> {
  try {
    const { servers } = await withControl(io, (api) => api.call('Servers/List', {}))
    const found = Array.isArray(servers) ? servers.filter(isJsonObject) : []
    return new Map(
      found.flatMap((server) => (typeof server.name === 'string' ? [[server.name, healthIn(server)]] : [])),
    )
  } catch (error) {
    // How they do is one line of many: the others are worth showing.
    if (error instanceof ContextdError) return new Map()
    throw error
  }
}

function healthIn({ health }: JsonObject): Health {
  if (!isJsonObject(health) || typeof health.state !== 'string') return { state: 'ok' }
  return { state: health.state, ...(typeof health.why === 'string' && { why: health.why }) }
}

const usable: ReadonlySet<string> = new Set(['ok', 'not started', 'connected', 'disabled'])

function serverAttention(servers: Glance['servers']): Trouble[] {
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
