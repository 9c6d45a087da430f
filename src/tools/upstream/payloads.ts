/** Prompts and resources of the servers whose tools are listed next to ours. */

import type { Call } from '../../core/call.ts'
import { missingThing } from '@contextd/shared/errors/common-error'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { AccessPolicy } from '../../core/ports.ts'
import { refusal, type Result } from '../../core/result.ts'
import type { TargetResolution, PayloadChange, PayloadList, PayloadSource } from '../../core/tool.ts'
import { addNotes } from '../../core/trail.ts'
import type { ListedNames } from './name-book.ts'
import type { Relay } from './relay.ts'
import type { Pool } from './pool.ts'
import { findResourceOwner } from './resource-owner.ts'
import type { UpstreamServer } from './server.ts'
import type { UpstreamSubscriptions } from './subscriptions.ts'
import { answeredBy, isAsking, withoutReserved } from './upstream-tool.ts'
import { fromEach, type Upstreams } from './upstreams.ts'

export interface PayloadsOptions {
  readonly upstreams: Upstreams
  readonly access: AccessPolicy
  readonly pool: Pick<Pool, 'use' | 'explain'>
  readonly relay: Relay
  /** The servers whose prompts and resources are listed. */
  readonly servers: () => readonly UpstreamServer[]
  readonly subscriptions: UpstreamSubscriptions
  /** Called when a server responds that an earlier list did not wait for. */
  readonly onArrived: (call: Call) => void
  /** Names of prompts, separate from those of tools. */
  readonly names: ListedNames
  readonly onChanged: (listener: (change: PayloadChange) => void) => () => void
}

const keys = { prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const
const methods = { prompts: 'prompt', resources: 'resource', resourceTemplates: 'resource' } as const

export function createPayloads(options: PayloadsOptions): PayloadSource {
  const { subscriptions } = options
  return {
    list: (what, call) => (what === 'prompts' ? listPrompts(options, call) : listByUri(options, what, call)),
    resolveTarget: (call) =>
      call.method === 'prompt' ? resolvePrompt(options, call) : resolveResource(options, call),
    prompt: (name, args, { call }) => relayed(options, 'prompts/get', { name, arguments: args }, call),
    resource: (uri, { call }) => relayed(options, 'resources/read', { uri }, call),
    subscribe: (uri, { call }) =>
      toServer(options, call, async (server) => {
        await subscriptions.add(server, uri, call)
        return { kind: 'payload', value: {} }
      }),
    unsubscribe: (uri, { call }) =>
      toServer(options, call, async (server) => {
        await subscriptions.remove(server, uri, call)
        return { kind: 'payload', value: {} }
      }),
    onChanged: options.onChanged,
  }
}

async function listPrompts(options: PayloadsOptions, call: Call): Promise<JsonObject[]> {
  const { names } = options
  const prompts = await fromVisible(options, call, async (server) =>
    (await usableItems(options, server, 'prompts', call)).flatMap((prompt) => {
      const name = names.add(server, nameIn('prompts', prompt))
      return name === undefined ? [] : [{ ...prompt, name }]
    }),
  )
  return prompts.filter((prompt) => names.lookup(nameIn('prompts', prompt)) !== undefined)
}

/** If two servers list the same URI, the first one owns it. */
async function listByUri(
  options: PayloadsOptions,
  what: 'resources' | 'resourceTemplates',
  call: Call,
): Promise<JsonObject[]> {
  const seen = new Set<string>()
  const items = await fromVisible(options, call, (server) => usableItems(options, server, what, call))
  return items.filter((item) => {
    const uri = nameIn(what, item)
    const isFirst = !seen.has(uri)
    seen.add(uri)
    return isFirst
  })
}

function fromVisible(
  options: PayloadsOptions,
  call: Call,
  ask: (server: UpstreamServer) => Promise<readonly JsonObject[]>,
): Promise<JsonObject[]> {
  return fromEach(visibleServers(options, call), ask, {
    onFailure: ({ name }, why) => addNotes(call.trail, [`nothing of ${name} is listed: ${why}`]),
    late: options.upstreams.late(call),
    onArrived: () => options.onArrived(call),
  })
}

function visibleServers({ upstreams, servers }: PayloadsOptions, call: Call): UpstreamServer[] {
  const visible = new Set(upstreams.visible(call))
  return servers().filter((server) => visible.has(server))
}

/** The items of a server's list that the caller may use. */
async function usableItems(
  { upstreams, access }: PayloadsOptions,
  server: UpstreamServer,
  what: PayloadList,
  call: Call,
): Promise<JsonObject[]> {
  const items = await upstreams.list(server, what, call)
  return items.filter((item) => {
    const tool = item[keys[what]]
    return (
      typeof tool === 'string' && access.mayUse(call, { method: methods[what], server: server.name, tool })
    )
  })
}

async function resolvePrompt({ names, servers }: PayloadsOptions, call: Call): Promise<TargetResolution> {
  const named = names.lookup(call.tool) ?? names.guess(call.tool, servers(), () => [])
  if (named === undefined) return refusal('NOT_FOUND', missingThing('prompt', call.tool))
  return { ...call, server: named.server, tool: named.name }
}

async function resolveResource(options: PayloadsOptions, call: Call): Promise<TargetResolution> {
  const candidates = visibleServers(options, call)
  const server = await findResourceOwner(call.tool, candidates, options.upstreams, call)
  // The protocol requires the URI in the error.
  if (server === undefined)
    return refusal('NOT_FOUND', { ...missingThing('resource', call.tool), uri: call.tool })
  return { ...call, server: server.name }
}

async function toServer(
  { upstreams, pool }: PayloadsOptions,
  call: Call,
  send: (server: UpstreamServer) => Promise<Result>,
): Promise<Result> {
  const server = upstreams.find(call.server)
  return server === undefined
    ? refusal('NOT_FOUND', missingThing('server', call.server))
    : answeredBy(server, pool, () => send(server))
}

function relayed(options: PayloadsOptions, method: string, params: JsonObject, call: Call): Promise<Result> {
  const { pool, relay } = options
  return toServer(options, call, async (server) => {
    const result =
      (await relay.resume(call)) ??
      (await pool.use(server, call, (link) => relay.send(link, { method, params }, call)))
    return isAsking(result) ? result : { kind: 'payload', value: withoutProtocol(result) }
  })
}

function nameIn(what: PayloadList, item: JsonObject): string {
  return item[keys[what]] as string
}

/** Metadata of the exchange between the server and us. */
const protocolKeys = new Set(['resultType', 'ttlMs', 'cacheScope', '_meta'])

function withoutProtocol(result: JsonObject): JsonObject {
  const value = Object.entries(result).filter(([key]) => !protocolKeys.has(key))
  const meta = isJsonObject(result._meta) ? withoutReserved(result._meta) : {}
  return { ...Object.fromEntries(value), ...(Object.keys(meta).length > 0 && { _meta: meta }) }
}
