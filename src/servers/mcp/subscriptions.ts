import { CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'

import type { CallRequest, Runtime } from '../../compose.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { clientOf } from './client.ts'
import { declaredIn, type McpConnection } from './request.ts'

/** A listen request, reduced to the resources that its caller may subscribe to. */
export interface Honoured {
  readonly request: JsonObject
  readonly session: string
  /** Ends the subscriptions. */
  release(): void
}

/**
 * From 2026-07-28 on, a client lists the resources to watch in `subscriptions/listen`, which the SDK answers itself.
 * Each is first checked in the pipeline; refused ones are removed, and the acknowledgement lists the rest.
 */
export interface ClientSubscriptions {
  honour(request: JsonObject, connection: ListeningConnection, signal: AbortSignal): Promise<Honoured>
}

export type ListeningConnection = Pick<McpConnection, 'door' | 'session' | 'claims' | 'onUnanswered'>

type Subscriber = Pick<CallRequest, 'session' | 'client' | 'claims'>

export function createClientSubscriptions(runtime: Runtime): ClientSubscriptions {
  // Two streams of a session may watch the same resource, and the source knows only the session.
  const counts = new Map<string, number>()
  const live = new Set<string>()

  const ask = async (
    method: 'subscribe' | 'unsubscribe',
    uri: string,
    subscriber: Subscriber,
    signal: AbortSignal,
  ): Promise<boolean> => {
    try {
      const call = runtime.newCall({ ...subscriber, method, tool: uri, signal })
      return (await runtime.handle(call)).kind === 'payload'
    } catch (error) {
      runtime.log('error', `a resource could not be ${method}d`, { cause: String(error) })
      return false
    }
  }
  const take = async (uri: string, subscriber: Subscriber, signal: AbortSignal): Promise<boolean> => {
    const key = keyOf(uri, subscriber)
    // Counted before the answer: a stream that ends in the meantime must not end this subscription.
    counts.set(key, (counts.get(key) ?? 0) + 1)
    const allowed = await ask('subscribe', uri, subscriber, signal)
    if (allowed) live.add(key)
    else drop(uri, subscriber)
    return allowed
  }
  const drop = (uri: string, subscriber: Subscriber): void => {
    const key = keyOf(uri, subscriber)
    const left = (counts.get(key) ?? 1) - 1
    if (left > 0) {
      counts.set(key, left)
      return
    }
    counts.delete(key)
    if (live.delete(key)) void ask('unsubscribe', uri, subscriber, new AbortController().signal)
  }

  return {
    async honour(request, connection, signal) {
      const subscriber = subscriberOf(request, connection)
      const { session } = subscriber
      const uris = runtime.catalogue.payloads?.onChanged === undefined ? undefined : urisIn(request)
      if (uris === undefined) return { request, session, release() {} }
      const held = new Set<string>()
      for (const uri of new Set(uris)) {
        if (!signal.aborted && (await take(uri, subscriber, signal))) held.add(uri)
      }
      return {
        request: withUris(request, [...held]),
        session,
        release() {
          for (const uri of held) drop(uri, subscriber)
          held.clear()
        },
      }
    },
  }
}

/** True for what the SDK accepts as a listen request, valid or not. */
export function isListenRequest(message: unknown): message is JsonObject {
  return (
    isJsonObject(message) &&
    message.method === 'subscriptions/listen' &&
    message.id !== undefined &&
    typeof metaOf(message)[PROTOCOL_VERSION_META_KEY] === 'string'
  )
}

/** Not validated yet. */
export function metaOf(message: unknown): JsonObject {
  const params = isJsonObject(message) ? message.params : undefined
  return isJsonObject(params) && isJsonObject(params._meta) ? params._meta : {}
}

function subscriberOf(request: JsonObject, { door, session, claims }: ListeningConnection): Subscriber {
  const meta = metaOf(request)
  const info = meta[CLIENT_INFO_META_KEY]
  const { name, version } = isJsonObject(info) ? info : {}
  const known = typeof name === 'string' && typeof version === 'string'
  const client = clientOf(known ? { name, version } : undefined, door)
  return { session: session(client, meta), client, claims: { ...claims, ...declaredIn(meta) } }
}

function filterOf({ params }: JsonObject): JsonObject {
  return isJsonObject(params) && isJsonObject(params.notifications) ? params.notifications : {}
}

/** Undefined if there are no URIs, or for another type, which the SDK will report. */
function urisIn(request: JsonObject): string[] | undefined {
  const uris = filterOf(request).resourceSubscriptions
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : undefined
}

function withUris(request: JsonObject, uris: string[]): JsonObject {
  const notifications = { ...filterOf(request), resourceSubscriptions: uris }
  return { ...request, params: { ...(request.params as JsonObject), notifications } }
}

function keyOf(uri: string, { session }: Subscriber): string {
  return `${session} ${uri}`
}
