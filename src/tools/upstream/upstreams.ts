/** The servers behind the gateway as one caller has them: which there are, and what each offers. */

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

/** The tools of one server that may be used at all; which of them a caller may use is the rules' business. */
export interface ServerTools {
  /** As agents may see them. */
  readonly tools: ReadonlyMap<string, UpstreamTool>
  /** The same as their server sent them. */
  readonly raw: readonly UpstreamTool[]
  /** Not the ones that were pinned. */
  readonly held: ReadonlySet<string>
}

export interface Upstreams {
  /** Those the caller may know of, by name. */
  visible(call: Call): readonly UpstreamServer[]
  find(name: string): UpstreamServer | undefined
  /** At once where they are known, as they are for all calls but the first. */
  toolsOn(link: PooledConnection): ServerTools | Promise<ServerTools>
  tools(server: UpstreamServer, call: Call): Promise<ServerTools>
  /** The same without starting the server where its tools are known from before. */
  toolsKnown(server: UpstreamServer, call: Call): Promise<ServerTools>
  list(server: UpstreamServer, what: PayloadList, call: Call): Promise<readonly JsonObject[]>
  /** The servers that this caller's lists did not wait for. */
  late(call: Call): Lateness
  /** Call it with every notice, before anyone acts on it. */
  heard(notice: Notice, link: PooledConnection): void
}

/** What is kept of tools that were seen before. */
export interface Pinned {
  /** Which of the tools are what they were; asked on every call, so it remembers what it said of the same list. */
  judge(server: UpstreamServer, tools: readonly UpstreamTool[]): PinVerdict
  /** The tools as they were last let pass. */
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
  const read = new WeakMap<readonly JsonObject[], readonly UpstreamTool[]>()
  const toolsByVerdict = new WeakMap<PinVerdict, ServerTools>()

  const listsOn = ({ connection }: PooledConnection): ServerLists => {
    const lists = listsOf.get(connection) ?? createServerLists(connection, listMs)
    listsOf.set(connection, lists)
    return lists
  }

  const judged = (link: PooledConnection, listed: readonly JsonObject[]): ServerTools => {
    const definitions = read.get(listed) ?? readDefinitions(listed).tools
    read.set(listed, definitions)
    const verdict = pinned.judge(link.server, definitions)
    const tools = toolsByVerdict.get(verdict) ?? serverTools(verdict)
    toolsByVerdict.set(verdict, tools)
    return tools
  }
  const toolsOn: Upstreams['toolsOn'] = (link) => {
    const lists = listsOn(link)
    const known = lists.known('tools')
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
    list: (server, what, call) => pool.use(server, call, (link) => listsOn(link).list(what)),
    late: (call) => ({
      has: (server) => slow.has(connectionKey(server, call)),
      add: (server) => void slow.add(connectionKey(server, call)),
      delete: (server) => void slow.delete(connectionKey(server, call)),
    }),
    heard: (notice, link) => listsOf.get(link.connection)?.heard(notice),
  }
}

function serverTools({ usable, held }: Pick<PinVerdict, 'usable' | 'held'>): ServerTools {
  return {
    tools: new Map(usable.map((tool) => [tool.name, withoutInvisible(tool)])),
    raw: usable,
    held: new Set(held.map(({ name }) => name)),
  }
}

export interface Lateness {
  has(server: UpstreamServer): boolean
  add(server: UpstreamServer): void
  delete(server: UpstreamServer): void
}

export interface EachOptions<T> {
  readonly onFailure?: (server: UpstreamServer, why: string) => void
  /** What stands in for a server that is not waited for any longer. */
  readonly meanwhile?: (server: UpstreamServer) => readonly T[]
  /** Those that were waited for already, and have not come yet: nobody waits for them twice. */
  readonly late?: Lateness
  /** How long a server is waited for. */
  readonly patienceMs?: (server: UpstreamServer) => number
  /** It has come after all. */
  readonly onArrived?: (server: UpstreamServer) => void
}

/**
 * A client waits for its lists; one slow server must not make it wait for all others. Claude Code speaks to its model a
 * second and a half after it connected, with the tools it has by then.
 */
const usualPatienceMs = 2500

/** Of many servers what each has to give, in their order; one that fails is told of and hides no other. */
export async function fromEach<T>(
  servers: readonly UpstreamServer[],
  ask: (server: UpstreamServer) => Promise<readonly T[]>,
  { onFailure, meanwhile, late, patienceMs = () => usualPatienceMs, onArrived }: EachOptions<T> = {},
): Promise<T[]> {
  const failed = (server: UpstreamServer, error: unknown): readonly T[] => {
    onFailure?.(server, error instanceof CodedError ? error.message : String(error))
    return []
  }
  const inTime = async (server: UpstreamServer): Promise<readonly T[]> => {
    const waitMs = late?.has(server) === true ? 0 : patienceMs(server)
    let isLate = false
    let timer: NodeJS.Timeout | undefined
    const givenUp = new Promise<readonly T[]>((resolve) => {
      timer = setTimeout(() => {
        isLate = true
        late?.add(server)
        onFailure?.(server, `it did not answer within ${waitMs} ms`)
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
      return await Promise.race([asked, givenUp])
    } finally {
      clearTimeout(timer)
    }
  }
  return (await Promise.all(servers.map(inTime))).flat()
}
