/** Prompts and resources of the servers whose tools are listed beside ours. */

import type { Call } from '../../core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { AccessPolicy } from '../../core/ports.ts'
import { refusal, type Result } from '../../core/result.ts'
import type { TargetResolution, PayloadChange, PayloadList, PayloadSource } from '../../core/tool.ts'
import { addNotes } from '../../core/trail.ts'
import type { ListedNames } from './name-book.ts'
import type { Relay } from './relay.ts'
import type { Pool } from './pool.ts'
import type { UpstreamServer } from './server.ts'
import type { UpstreamSubscriptions } from './subscriptions.ts'
import { matchesTemplate } from './uri-template.ts'
import { answeredBy, isAsking, withoutReserved } from './upstream-tool.ts'
import { fromEach, type Upstreams } from './upstreams.ts'

export interface PayloadsOptions {
  readonly upstreams: Upstreams
  readonly access: AccessPolicy
  readonly pool: Pick<Pool, 'use' | 'explain'>
  readonly relay: Relay
  /** Those whose prompts and resources are listed. */
  readonly servers: () => readonly UpstreamServer[]
  readonly subscriptions: UpstreamSubscriptions
  /** A server that a list did not wait for has come. */
  readonly onArrived: (call: Call) => void
  /** Names of prompts; they do not mix with those of tools. */
  readonly names: ListedNames
  readonly onChanged: (listener: (change: PayloadChange) => void) => () => void
}

/** Under which key an item of a list has its name. */
const keys = { prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const
const methods = { prompts: 'prompt', resources: 'resource', resourceTemplates: 'resource' } as const

export function createPayloads(options: PayloadsOptions): PayloadSource {
  const { upstreams, access, pool, relay, servers, names, subscriptions, onArrived } = options

  const visible = (call: Call): UpstreamServer[] => {
    const known = new Set(upstreams.visible(call))
    return servers().filter((server) => known.has(server))
  }

  /** What the caller may use of a server's list. */
  const usable = async (server: UpstreamServer, what: PayloadList, call: Call): Promise<JsonObject[]> => {
    const items = await upstreams.list(server, what, call)
    return items.filter((item) => {
      const tool = item[keys[what]]
      return (
        typeof tool === 'string' && access.mayUse(call, { method: methods[what], server: server.name, tool })
      )
    })
  }

  const fromVisible = (
    call: Call,
    ask: (server: UpstreamServer) => Promise<readonly JsonObject[]>,
  ): Promise<JsonObject[]> =>
    fromEach(visible(call), ask, {
      onFailure: ({ name }, why) => addNotes(call.trail, [`nothing of ${name} is listed: ${why}`]),
      late: upstreams.late(call),
      onArrived: () => onArrived(call),
    })

  const promptsFor = async (call: Call): Promise<JsonObject[]> => {
    const prompts = await fromVisible(call, async (server) =>
      (await usable(server, 'prompts', call)).flatMap((prompt) => {
        const name = names.enter(server, nameIn('prompts', prompt))
        return name === undefined ? [] : [{ ...prompt, name }]
      }),
    )
    return prompts.filter((prompt) => names.lookup(nameIn('prompts', prompt)) !== undefined)
  }

  /** The server a resource comes from: the first that lists it, then the first with a template for it. */
  const ownerOf = async (uri: string, call: Call): Promise<UpstreamServer | undefined> => {
    const candidates = visible(call)
    const firstWith = async (
      what: PayloadList,
      isIn: (items: readonly JsonObject[]) => boolean,
    ): Promise<UpstreamServer | undefined> => {
      const having = await fromEach(
        candidates,
        async (server) => (isIn(await upstreams.list(server, what, call)) ? [server] : []),
        { late: upstreams.late(call) },
      )
      return having[0]
    }
    return (
      (await firstWith('resources', (items) => namesIn(items, 'uri').has(uri))) ??
      // A template itself, as it stands in lists: each of them is asked for, and there may be thousands.
      (await firstWith('resourceTemplates', (items) => namesIn(items, 'uriTemplate').has(uri))) ??
      (await firstWith('resourceTemplates', (items) =>
        items.some(({ uriTemplate }) => matchesTemplate(uriTemplate, uri)),
      )) ??
      // Nobody lists it, but where there is only one it may still know it.
      (candidates.length === 1 ? candidates[0] : undefined)
    )
  }

  const toServer = async (call: Call, send: (server: UpstreamServer) => Promise<Result>): Promise<Result> => {
    const server = upstreams.find(call.server)
    return server === undefined
      ? refusal('NOT_FOUND', { what: 'such server' })
      : answeredBy(server, pool, () => send(server))
  }

  const relayed = (method: string, params: JsonObject, call: Call): Promise<Result> =>
    toServer(call, async (server) => {
      const result =
        (await relay.resume(call)) ??
        (await pool.use(server, call, (link) => relay.send(link, { method, params }, call)))
      return isAsking(result) ? result : { kind: 'payload', value: withoutProtocol(result) }
    })

  return {
    async list(what, call) {
      if (what === 'prompts') return promptsFor(call)
      const seen = new Set<string>()
      const items = await fromVisible(call, (server) => usable(server, what, call))
      // Two servers with the same address: the first has it.
      return items.filter((item) => {
        const address = nameIn(what, item)
        const isFirst = !seen.has(address)
        seen.add(address)
        return isFirst
      })
    },
    async resolveTarget(call): Promise<TargetResolution> {
      if (call.method === 'prompt') {
        const named = names.lookup(call.tool) ?? names.guess(call.tool, servers(), () => [])
        if (named === undefined) return refusal('NOT_FOUND', { what: 'such prompt' })
        return { ...call, server: named.server, tool: named.name }
      }
      const server = await ownerOf(call.tool, call)
      // The protocol wants the address back with the error.
      if (server === undefined) return refusal('NOT_FOUND', { what: 'such resource', uri: call.tool })
      return { ...call, server: server.name }
    },
    prompt: (name, args, { call }) => relayed('prompts/get', { name, arguments: args }, call),
    resource: (uri, { call }) => relayed('resources/read', { uri }, call),
    subscribe: (uri, { call }) =>
      toServer(call, async (server) => {
        await subscriptions.add(server, uri, call)
        return { kind: 'payload', value: {} }
      }),
    unsubscribe: (uri, { call }) =>
      toServer(call, async (server) => {
        await subscriptions.remove(server, uri, call)
        return { kind: 'payload', value: {} }
      }),
    onChanged: options.onChanged,
  }
}

/** Of an item that has one. */
function nameIn(what: PayloadList, item: JsonObject): string {
  return item[keys[what]] as string
}

const namesOf = new WeakMap<readonly JsonObject[], ReadonlySet<Json | undefined>>()

/** What stands under the key in each item; kept as long as the list is. */
function namesIn(items: readonly JsonObject[], key: string): ReadonlySet<Json | undefined> {
  const names = namesOf.get(items) ?? new Set(items.map((item) => item[key]))
  namesOf.set(items, names)
  return names
}

/** What the protocol says about a result on the way from there to here. */
const ofProtocol = new Set(['resultType', 'ttlMs', 'cacheScope', '_meta'])

function withoutProtocol(result: JsonObject): JsonObject {
  const value = Object.entries(result).filter(([key]) => !ofProtocol.has(key))
  const meta = isJsonObject(result._meta) ? withoutReserved(result._meta) : {}
  return { ...Object.fromEntries(value), ...(Object.keys(meta).length > 0 && { _meta: meta }) }
}
