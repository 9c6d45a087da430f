/** The servers behind the gateway from one caller's view: which are visible, and what each offers. */

import type { Call } from '../../core/call.ts'
import { CodedError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { AccessPolicy } from '../../core/ports.ts'
import type { PayloadList } from '../../core/tool.ts'
import type { Connection, Notice } from './connection.ts'
import { readDefinitions, withoutInvisible, type UpstreamTool } from './definitions/definition.ts'
import type { PinVerdict } from './definitions/pins.ts'
import { createServerLists, type ServerLists } from './server-lists.ts'
import type { Pool } from './pool.ts'
import { connectionKey, type PooledConnection } from './pool-state.ts'
import type { UpstreamServer } from './server.ts'

/** The usable tools of one server, before the rules decide which of them a caller may use. */
export interface ServerTools {
  /** By name, without invisible characters. */
  readonly tools: ReadonlyMap<string, UpstreamTool>
  /** The same tools, unmodified. */
  readonly raw: readonly UpstreamTool[]
  /** Names of tools that differ from their pin. */
  readonly held: ReadonlySet<string>
}

export interface Upstreams {
  /** Servers the caller may know about, sorted by name. */
  visible(call: Call): readonly UpstreamServer[]
  find(name: string): UpstreamServer | undefined
  /** Synchronous if the tools are known, as for all calls but the first. */
  toolsOn(link: PooledConnection): ServerTools | Promise<ServerTools>
  tools(server: UpstreamServer, call: Call): Promise<ServerTools>
  /** Like `tools`, but does not start a server whose tools are pinned. */
  toolsKnown(server: UpstreamServer, call: Call): Promise<ServerTools>
  /** Names of its pinned tools. Starts nothing; empty if it was never used. */
  pinnedNames(server: UpstreamServer): readonly string[]
  list(server: UpstreamServer, what: PayloadList, call: Call): Promise<readonly JsonObject[]>
  /** Servers that this caller's lists did not wait for. */
  late(call: Call): LateServers
  /** To be called with every notice before it is acted on. */
  onNotice(notice: Notice, link: PooledConnection): void
}

/** The pins of tools. */
export interface Pinned {
  /** Compares the tools with their pins. Called on every call, so it caches the verdict per list. */
  judge(server: UpstreamServer, tools: readonly UpstreamTool[]): PinVerdict
  /** The pinned definitions. */
  tools(server: UpstreamServer): readonly UpstreamTool[]
}

export interface UpstreamsOptions {
  readonly servers: () => ReadonlyMap<string, UpstreamServer>
  readonly access: AccessPolicy
  readonly pool: Pick<Pool, 'use' | 'peek'>
  readonly pinned: Pinned
  readonly listMs: number
}

export function createUpstreams({ servers, access, pool, pinned, listMs }: UpstreamsOptions): Upstreams {
  const listsOf = new WeakMap<Connection, ServerLists>()
  const slow = new Set<string>()
  const parsed = new WeakMap<readonly JsonObject[], readonly UpstreamTool[]>()
  const toolsByVerdict = new WeakMap<PinVerdict, ServerTools>()

  const listsOn = ({ connection }: PooledConnection): ServerLists => {
    const lists = listsOf.get(connection) ?? createServerLists(connection, listMs)
    listsOf.set(connection, lists)
    return lists
  }

  const judged = (link: PooledConnection, listed: readonly JsonObject[]): ServerTools => {
    const definitions = parsed.get(listed) ?? readDefinitions(listed).tools
    parsed.set(listed, definitions)
    const verdict = pinned.judge(link.server, definitions)
    const tools = toolsByVerdict.get(verdict) ?? serverTools(verdict)
    toolsByVerdict.set(verdict, tools)
    return tools
  }
  const toolsOn: Upstreams['toolsOn'] = (link) => {
    const lists = listsOn(link)
    const known = lists.cached('tools')
    return known === undefined
      ? lists.list('tools').then((listed) => judged(link, listed))
      : judged(link, known)
  }
  const tools: Upstreams['tools'] = (server, call) => pool.use(server, call, async (link) => toolsOn(link))

  return {
    visible: (call) =>
      Array.from(servers().values())
        .filter(({ name }) => access.maySee(call, name))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    find: (name) => servers().get(name),
    toolsOn,
    tools,
    async toolsKnown(server, call) {
      if (pool.peek(server, call) !== undefined) return tools(server, call)
      const known = pinned.tools(server)
      return known.length === 0 ? tools(server, call) : serverTools({ usable: known, held: [] })
    },
    pinnedNames: (server) => pinned.tools(server).map(({ name }) => name),
    list: (server, what, call) => pool.use(server, call, (link) => listsOn(link).list(what)),
    late: (call) => ({
      has: (server) => slow.has(connectionKey(server, call)),
      add: (server) => void slow.add(connectionKey(server, call)),
      delete: (server) => void slow.delete(connectionKey(server, call)),
    }),
    onNotice: (notice, link) => listsOf.get(link.connection)?.onNotice(notice),
  }
}

function serverTools({ usable, held }: Pick<PinVerdict, 'usable' | 'held'>): ServerTools {
  return {
    tools: new Map(usable.map((tool) => [tool.name, withoutInvisible(tool)])),
    raw: usable,
    held: new Set(held.map(({ name }) => name)),
  }
}

export interface LateServers {
  has(server: UpstreamServer): boolean
  add(server: UpstreamServer): void
  delete(server: UpstreamServer): void
}

export interface EachOptions<T> {
  readonly onFailure?: (server: UpstreamServer, why: string) => void
  /** Items to use for a server that did not answer in time. */
  readonly meanwhile?: (server: UpstreamServer) => readonly T[]
  /** Servers that were already waited for and have not answered yet; they are not waited for again. */
  readonly late?: LateServers
  /** How long to wait for a server. */
  readonly timeoutMs?: (server: UpstreamServer) => number
  /** Called when a late server answers. */
  readonly onArrived?: (server: UpstreamServer) => void
}

/**
 * A client waits for its lists, and one slow server must not delay all others. Claude Code sends its first request to the
 * model 1.5 seconds after it connects, with the tools listed by then.
 */
const defaultTimeoutMs = 2500

/** Collects the items of all servers, in their order. A failing server is reported and does not affect the others. */
export async function fromEach<T>(
  servers: readonly UpstreamServer[],
  ask: (server: UpstreamServer) => Promise<readonly T[]>,
  { onFailure, meanwhile, late, timeoutMs = () => defaultTimeoutMs, onArrived }: EachOptions<T> = {},
): Promise<T[]> {
  const failed = (server: UpstreamServer, error: unknown): readonly T[] => {
    onFailure?.(server, error instanceof CodedError ? error.message : String(error))
    return []
  }
  const inTime = async (server: UpstreamServer): Promise<readonly T[]> => {
    const waitMs = late?.has(server) === true ? 0 : timeoutMs(server)
    let isLate = false
    let timer: NodeJS.Timeout | undefined
    const timedOut = new Promise<readonly T[]>((resolve) => {
      timer = setTimeout(() => {
        isLate = true
        late?.add(server)
        onFailure?.(server, `it did not respond within ${waitMs} ms`)
        resolve(meanwhile?.(server) ?? [])
      }, waitMs)
    })
    const asked = ask(server)
      .finally(() => late?.delete(server))
      .then(
        (items) => {
          if (isLate) onArrived?.(server)
          return items
        },
        (error: unknown) => (isLate ? [] : failed(server, error)),
      )
    try {
      return await Promise.race([asked, timedOut])
    } finally {
      clearTimeout(timer)
    }
  }
  return (await Promise.all(servers.map(inTime))).flat()
}
