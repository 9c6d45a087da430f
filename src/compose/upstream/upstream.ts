/** Other MCP servers and the gateway's dependencies. Most of it is loaded on the first connection. */

import type { Principal } from '../../core/call.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { mapStrings, type JsonObject } from '@contextd/shared/json/value'
import type { AccessPolicy, Clock, CountTokens } from '../../core/ports.ts'
import type { Config } from '../../platform/config/config-schema.ts'
import type { Log } from '../../platform/log.ts'
import { nearest } from '@contextd/shared/text/nearest'
import type { Paths } from '../../platform/files/paths.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Trust } from '../../platform/trust.ts'
import { createGateway, type Gateway } from '../../tools/upstream/gateway.ts'
import type { ApprovedPins, Inspection } from '../../tools/upstream/inspect.ts'
import type { ServerHealth } from '../../tools/upstream/server-health.ts'
import type { UpstreamServer } from '../../tools/upstream/server.ts'
import { discoverServers } from '../../tools/upstream/servers/discover-servers.ts'
import { createServerBook, type ServerBookStatus } from '../../tools/upstream/servers/server-book.ts'
import { markVariable } from '../../tools/upstream/stdio/leftovers.ts'
import type { StartConfined } from '../../tools/upstream/stdio/confined-process.ts'
import { openPinned } from './upstream-pins.ts'
import { openServerTransports } from './server-transports.ts'

export interface UpstreamParts {
  readonly config: Config
  readonly paths: Paths
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  readonly count: CountTokens
  readonly trust: Trust
  readonly access: AccessPolicy
  /** The value of a secret that the user set. */
  readonly secret: (name: string) => string | undefined
  /** For text that leaves outside of any session. */
  readonly scrub: (text: string) => string
  readonly startConfined: (server: string) => Promise<StartConfined>
  /** `--transparent`. */
  readonly transparent: boolean
  readonly isReserved: (name: string) => boolean
  readonly log: Log
  readonly onEvent: (name: string, details: JsonObject) => void
}

export interface OpenUpstream {
  readonly gateway: Gateway
  /** The content of the server files. */
  status(): ServerBookStatus
  /** Servers that the files declare but disable. */
  disabled(): readonly UpstreamServer[]
  /** Health of the servers that the principal may know of; of all servers if there is no principal. Scrubbed. */
  health(principal?: Principal): readonly ServerHealth[]
  /** For the user: what a server offers, and what of that is blocked. Throws if the server does not exist. */
  inspect(name: string): Promise<Inspection>
  approve(name: string, seen: ReadonlyMap<string, string>): Promise<ApprovedPins>
  signIn(name: string, show: (address: URL) => void, signal: AbortSignal): Promise<void>
  signOut(name: string): Promise<boolean>
  close(): Promise<void>
}

const minuteMs = 60_000
const isHash = /^[0-9a-f]{64}$/

export function openUpstream(given: UpstreamParts): OpenUpstream {
  const { config, paths, project, env, clock, trust, access, scrub, log } = given
  /** Names of tools are untrusted text. */
  const onEvent: UpstreamParts['onEvent'] = (name, details) =>
    given.onEvent(name, mapStrings(details, (text) => (isHash.test(text) ? text : scrub(text))) as JsonObject)
  const parts: UpstreamParts = { ...given, onEvent }
  const settings = {
    transparent: parts.transparent || config.upstream.transparent,
    maxConnections: config.upstream.connections,
    idleMs: config.upstream.idle_minutes * minuteMs,
    startMs: config.upstream.start_ms,
    maxMessageBytes: config.upstream.message_kb * 1024,
    answerTokens: config.budget.answer_tokens,
  }
  // contextd must not run behind contextd, whatever its name there: each would start the next.
  const isNested = Boolean(env[markVariable])
  if (isNested) log('warn', 'this contextd was started by another as its server, and starts none itself')
  const book = createServerBook({
    files: isNested ? { user: [], userIsNamed: false, project: [] } : discoverServers(env, paths, project),
    isTrusted: trust.isTrusted,
    clock,
    log,
    onEvent: ({ kind, ...details }) => onEvent(`servers-${kind}`, { ...details }),
  })
  const pinned = openPinned(parts)
  const transports = openServerTransports(parts)
  const gateway = createGateway({
    servers: book,
    async connect(server, options) {
      await pinned.load()
      return transports.connect(server, options)
    },
    pinned,
    access,
    clock,
    onHealth: ({ state, ...details }) => onEvent(`upstream-${state}`, details),
    count: parts.count,
    isReserved: parts.isReserved,
    settings,
  })
  const findServer = (name: string): UpstreamServer => {
    const server = book.current().get(name)
    if (server !== undefined) return server
    const disabled = book.disabled().find((one) => one.name === name)
    if (disabled !== undefined) {
      throw new ContextdError('USAGE', {
        problem: `the server ${name} is disabled`,
        hint: `Remove "disabled" from its entry: ${disabled.file}:${disabled.line}.`,
      })
    }
    const near = nearest(name, [...book.current().keys()])
    throw new ContextdError('NOT_FOUND', {
      what: `MCP server named ${name}`,
      hint: near === undefined ? '`ctxd upstream list` shows the active servers.' : `Did you mean ${near}?`,
    })
  }
  const terms = async (server: UpstreamServer) => ({
    connect: transports.connect,
    pins: await pinned.load(),
    pinnedAs: pinned.ownerOf(server),
    clock,
    ...settings,
  })
  return {
    gateway,
    status: book.status,
    disabled: book.disabled,
    health: (principal) =>
      gateway
        .health()
        .filter(({ server }) => principal === undefined || access.maySee({ principal }, server))
        .map((one) => cleanHealth(one, scrub, principal === undefined)),
    async inspect(name) {
      const server = findServer(name)
      const { inspect } = await import('../../tools/upstream/inspect.ts')
      try {
        return scrubbedInspection(await inspect(server, await terms(server)), scrub)
      } catch (error) {
        if (!(error instanceof CodedError)) throw error
        throw new ContextdError(error.code, mapStrings(error.details as JsonObject, scrub) as JsonObject)
      }
    },
    async approve(name, seen) {
      const server = findServer(name)
      const { approve } = await import('../../tools/upstream/inspect.ts')
      return approve(server, seen, await terms(server))
    },
    signIn: (name, show, signal) => transports.signIn(findServer(name), show, signal),
    signOut: (name) => transports.signOut(name),
    async close() {
      book.close()
      await gateway.close()
    },
  }
}

/** A server's last line may contain data of another caller, so only the operator sees it. */
function cleanHealth(
  { last_line: lastLine, ...health }: ServerHealth,
  scrub: (text: string) => string,
  withLastLine: boolean,
): ServerHealth {
  const clean = mapStrings(health as unknown as JsonObject, scrub) as unknown as ServerHealth
  return lastLine === undefined || !withLastLine ? clean : { ...clean, last_line: scrub(lastLine) }
}

/** Scrubbed for a terminal. Names and hashes stay, because an approval refers to them. */
function scrubbedInspection(inspection: Inspection, scrub: (text: string) => string): Inspection {
  const clean = <T>(value: T): T => mapStrings(value as unknown as JsonObject, scrub) as unknown as T
  return {
    ...inspection,
    server: clean(inspection.server),
    dropped: clean(inspection.dropped),
    tools: inspection.tools.map(({ tool, findings, held }) => ({
      tool: { ...clean(tool), name: tool.name },
      findings: clean(findings),
      ...(held !== undefined && { held: { ...held, diff: held.diff.map((line) => scrub(line)) } }),
    })),
  }
}
