/** Other MCP servers, with everything the gateway works with. What connects is loaded when somebody does. */

import type { JsonObject } from '../core/json.ts'
import type { Access, Clock, CountTokens } from '../core/ports.ts'
import type { Config } from '../platform/config/config-schema.ts'
import type { Log } from '../platform/log.ts'
import type { Paths } from '../platform/paths.ts'
import type { Store } from '../platform/storage/store.ts'
import type { Trust } from '../platform/trust.ts'
import type { Connection, ConnectOptions } from '../tools/upstream/connection.ts'
import { createPinStore } from '../tools/upstream/definitions/pin-store.ts'
import { pinnedServer, type PinnedServer } from '../tools/upstream/definitions/pins.ts'
import type { Pins } from '../tools/upstream/definitions/pins.ts'
import { createGateway, type Gateway } from '../tools/upstream/gateway.ts'
import type { UpstreamServer } from '../tools/upstream/server.ts'
import { discoverServers } from '../tools/upstream/servers/discover-servers.ts'
import { createServerBook, type ServerBook } from '../tools/upstream/servers/server-book.ts'
import { resolveServer } from '../tools/upstream/servers/variables.ts'
import type { Pinned } from '../tools/upstream/upstreams.ts'

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
  readonly access: Access
  /** The value of a secret that the person set. */
  readonly secret: (name: string) => string | undefined
  /** `--transparent`. */
  readonly transparent: boolean
  readonly isReserved: (name: string) => boolean
  readonly log: Log
  readonly onEvent: (name: string, details: JsonObject) => void
}

export interface OpenUpstream {
  readonly gateway: Gateway
  readonly book: ServerBook
  close(): Promise<void>
}

const minuteMs = 60_000

export function openUpstream(parts: UpstreamParts): OpenUpstream {
  const { config, paths, project, env, clock, trust, log, onEvent } = parts
  const book = createServerBook({
    files: discoverServers(env, paths, project),
    isTrusted: trust.isTrusted,
    clock,
    log,
    onEvent: ({ kind, ...details }) => onEvent(`servers-${kind}`, { ...details }),
  })
  const pinned = pinnedTools(parts)
  const gateway = createGateway({
    servers: book,
    async connect(server, options) {
      await pinned.load()
      return connect(server, options, parts)
    },
    pinned,
    access: parts.access,
    clock,
    count: parts.count,
    isReserved: parts.isReserved,
    settings: {
      transparent: parts.transparent || config.upstream.transparent,
      mostConnections: config.upstream.connections,
      idleMs: config.upstream.idle_minutes * minuteMs,
      startMs: config.upstream.start_ms,
      maxMessageBytes: config.upstream.message_kb * 1024,
    },
  })
  return {
    gateway,
    book,
    async close() {
      book.close()
      await gateway.close()
    },
  }
}

/** Judging needs much that most sessions never do, so it is loaded with the first connection. */
function pinnedTools(parts: UpstreamParts): Pinned & { load(): Promise<void> } {
  const { store, tenant, project, config, clock, onEvent } = parts
  const pinStore = createPinStore(store, tenant, clock)
  const owners = new WeakMap<UpstreamServer, PinnedServer>()
  const ownerOf = (server: UpstreamServer): PinnedServer => {
    const owner = owners.get(server) ?? pinnedServer(server, project, config.upstream.on_change)
    owners.set(server, owner)
    return owner
  }
  let pins: Pins | undefined
  return {
    async load() {
      const { createPins } = await import('../tools/upstream/definitions/pins.ts')
      pins ??= createPins({ store: pinStore, clock, onEvent })
    },
    judge(server, tools) {
      if (pins === undefined) throw new Error('tools are judged before anything is connected')
      return pins.judge(ownerOf(server), tools)
    },
    tools(server) {
      const owner = ownerOf(server)
      const known = [...pinStore.list(owner).values()]
      return known.filter(({ identity }) => identity === owner.identity).map(({ definition }) => definition)
    },
  }
}

async function connect(
  declared: UpstreamServer,
  options: ConnectOptions,
  { env, project, secret }: UpstreamParts,
): Promise<Connection> {
  const { way, protocol } = resolveServer(declared, { env, secret })
  if (way.kind === 'stdio') {
    const { connectStdio } = await import('../tools/upstream/stdio/connect.ts')
    return connectStdio(way, protocol, { project, env }, options)
  }
  throw new Error('not yet')
}
