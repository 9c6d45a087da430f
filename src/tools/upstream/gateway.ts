/**
 * The gateway to other MCP servers, each connected on first use. It makes no access decisions: the rules see every call
 * under the names that the servers themselves use.
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
  /** Whether one of our tools has the name. */
  readonly isReserved: (name: string) => boolean
  readonly settings: GatewaySettings
  /** Called when a server becomes unavailable or available again. `why` can contain untrusted text. */
  readonly onHealth?: (change: HealthChange) => void
}

export interface GatewaySettings {
  /** Default for servers that do not specify it. */
  readonly transparent: boolean
  readonly maxConnections: number
  readonly idleMs: number
  readonly startMs: number
  readonly maxMessageBytes: number
  /** Max tokens of one answer of the gateway tools. */
  readonly answerTokens: number
}

export interface Gateway {
  /** The tools with which agents find and call all others. */
  readonly tools: readonly Tool[]
  /** Definitions listed next to our own tools. */
  list(call: Call): Promise<readonly ToolDefinition[]>
  findListed(name: string): Tool | undefined
  /** `name` is the tool's name on the server. */
  tool(server: string, name: string): Tool
  /** Undefined if no server's prompts and resources are listed. */
  payloads(): PayloadSource | undefined
  /** Of every server, sorted by name. */
  health(): readonly ServerHealth[]
  /** Called when the lists of all sessions changed; `payloads` reports changes for one session. */
  onListChanged(listener: () => void): () => void
  endSession(session: string): void
  close(): Promise<void>
}

/** Min interval between notifications of the same change. */
const notifyMs = 250
const maxPendingChanges = 1000

export function createGateway(options: GatewayOptions): Gateway {
  const { servers, connect, pinned, access, clock, count, isReserved, settings } = options
  const everyone = createListeners<void>()
  const oneSession = createListeners<PayloadChange>()
  const throttled = createThrottle(notifyMs, maxPendingChanges)
  const isTransparent = ({ transparent }: UpstreamServer): boolean => transparent ?? settings.transparent
  const transparent = (): readonly UpstreamServer[] =>
    [...servers.current().values()].filter(isTransparent).sort((a, b) => (a.name < b.name ? -1 : 1))

  const pool = createPool({
    connect: (server, { signal, onNotice }) =>
      connect(server, { signal, onNotice, maxMessageBytes: settings.maxMessageBytes }),
    onNotice(notice, link) {
      upstreams.onNotice(notice, link)
      const { session } = link
      if (notice.kind === 'list' && !isTransparent(link.server)) return
      const ofSession = session === undefined ? {} : { session }
      const change: PayloadChange = notice.kind === 'list' ? ofSession : { ...ofSession, uri: notice.uri }
      throttled(JSON.stringify(change), () => {
        if (change.session === undefined && change.uri === undefined) everyone.notify()
        else oneSession.notify(change)
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
  const onArrived = ({ session }: Call): void => oneSession.notify({ session })
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
    onChanged: oneSession.add,
  })
  const stopFollowing = servers.onChange(() => {
    pool.updateServers(servers.current())
    everyone.notify()
  })

  return {
    tools: gatewayTools({ ...parts, count, answerTokens: settings.answerTokens }),
    list: listed.list,
    findListed: listed.find,
    tool: (server, name) => upstreamTool(server, name, parts),
    payloads: () => (transparent().length === 0 ? undefined : payloads),
    health: () => [...servers.current().keys()].sort().map((server) => healthOf(server, pool)),
    onListChanged: everyone.add,
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

function createListeners<T>(): { add(listener: (news: T) => void): () => void; notify(news: T): void } {
  const listeners = new Set<(news: T) => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify(news) {
      for (const listener of listeners) listener(news)
    },
  }
}
