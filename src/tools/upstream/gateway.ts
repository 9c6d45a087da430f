/**
 * The gateway: other MCP servers behind contextd, each connected to when an agent first uses it. Nothing here decides
 * who may do what: the rules look at every call under the names the servers themselves use.
 */

import type { Call } from '../../core/call.ts'
import type { AccessPolicy, Clock, CountTokens } from '../../core/ports.ts'
import type { PayloadChange, PayloadSource, Tool, ToolDefinition } from '../../core/tool.ts'
import { createThrottle } from './allowance.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { gatewayTools } from './gateway-tools.ts'
import { createListedTools } from './listed-tools.ts'
import { createNames } from './name-book.ts'
import { createPayloads } from './payloads.ts'
import { createPool } from './pool.ts'
import { createRelay } from './relay.ts'
import { healthOf, type ServerHealth } from './server-health.ts'
import type { UpstreamServer } from './server.ts'
import type { HealthChange } from './failure-book.ts'
import { createUpstreamSubscriptions } from './subscriptions.ts'
import { upstreamTool } from './upstream-tool.ts'
import { createUpstreams, type Pinned, type Upstreams } from './upstreams.ts'

export interface GatewayOptions {
  readonly servers: {
    readonly current: () => ReadonlyMap<string, UpstreamServer>
    readonly onChange: (listener: () => void) => () => void
  }
  readonly connect: (server: UpstreamServer, options: ConnectOptions) => Promise<Connection>
  readonly pinned: Pinned
  readonly access: AccessPolicy
  readonly clock: Clock
  readonly count: CountTokens
  /** Whether a tool of ours has the name. */
  readonly isReserved: (name: string) => boolean
  readonly settings: GatewaySettings
  /** A server is not to be had any more, or is again. What it says of why is a stranger's text. */
  readonly onHealth?: (change: HealthChange) => void
}

export interface GatewaySettings {
  /** For servers that do not say. */
  readonly transparent: boolean
  readonly maxConnections: number
  readonly idleMs: number
  readonly startMs: number
  readonly maxMessageBytes: number
  /** Of one answer of our own tools. */
  readonly answerTokens: number
}

export interface Gateway {
  /** The few tools by which agents reach all others. */
  readonly tools: readonly Tool[]
  /** What is listed beside our own tools. */
  list(call: Call): Promise<readonly ToolDefinition[]>
  findListed(name: string): Tool | undefined
  /** By server and by the name the tool has there. */
  tool(server: string, name: string): Tool
  /** Undefined where no server's prompts and resources are listed. */
  payloads(): PayloadSource | undefined
  /** Of every server, by name. */
  health(): readonly ServerHealth[]
  /** When everyone's lists are different now; what concerns one session, `payloads` tells. */
  onListChanged(listener: () => void): () => void
  endSession(session: string): void
  close(): Promise<void>
}

/** Clients are told of the same change no more often than this. */
const tellMs = 250
const maxChanges = 1000

export function createGateway(options: GatewayOptions): Gateway {
  const { servers, connect, pinned, access, clock, count, isReserved, settings } = options
  const forAll = createListeners<void>()
  const forSession = createListeners<PayloadChange>()
  const inMeasure = createThrottle(tellMs, maxChanges)
  const isTransparent = ({ transparent }: UpstreamServer): boolean => transparent ?? settings.transparent
  const transparent = (): readonly UpstreamServer[] =>
    [...servers.current().values()].filter(isTransparent).sort((a, b) => (a.name < b.name ? -1 : 1))

  const pool = createPool({
    connect: (server, { signal, onNotice }) =>
      connect(server, { signal, onNotice, maxMessageBytes: settings.maxMessageBytes }),
    onNotice(notice, link) {
      upstreams.heard(notice, link)
      const { session } = link
      if (notice.kind === 'list' && !isTransparent(link.server)) return
      const ofSession = session === undefined ? {} : { session }
      const change: PayloadChange = notice.kind === 'list' ? ofSession : { ...ofSession, uri: notice.uri }
      inMeasure(JSON.stringify(change), () => {
        if (change.session === undefined && change.uri === undefined) forAll.tell()
        else forSession.tell(change)
      })
    },
    onHealth: options.onHealth,
    clock,
    ...settings,
  })
  const upstreams: Upstreams = createUpstreams({
    servers: servers.current,
    access,
    pool,
    pinned,
    listMs: settings.startMs,
  })
  const parts = { upstreams, access, clock, pool, relay: createRelay(clock) }
  const onArrived = ({ session }: Call): void => forSession.tell({ session })
  const subscriptions = createUpstreamSubscriptions({ pool, find: upstreams.find })
  const listed = createListedTools({
    ...parts,
    pinned,
    servers: transparent,
    names: createNames(isReserved),
    onArrived,
  })
  const payloads = createPayloads({
    ...parts,
    subscriptions,
    onArrived,
    servers: transparent,
    names: createNames(() => false),
    onChanged: forSession.add,
  })
  const stopFollowing = servers.onChange(() => {
    pool.updateServers(servers.current())
    forAll.tell()
  })

  return {
    tools: gatewayTools({ ...parts, count, answerTokens: settings.answerTokens }),
    list: listed.list,
    findListed: listed.find,
    tool: (server, name) => upstreamTool(server, name, parts),
    payloads: () => (transparent().length === 0 ? undefined : payloads),
    health: () => [...servers.current().keys()].sort().map((server) => healthOf(server, pool)),
    onListChanged: forAll.add,
    endSession(session) {
      subscriptions.endSession(session)
      pool.endSession(session)
    },
    close() {
      stopFollowing()
      return pool.close()
    },
  }
}

function createListeners<T>(): { add(listener: (news: T) => void): () => void; tell(news: T): void } {
  const listeners = new Set<(news: T) => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(news) {
      for (const listener of listeners) listener(news)
    },
  }
}
