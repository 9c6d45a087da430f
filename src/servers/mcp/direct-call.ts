import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  SERVER_INFO_META_KEY,
  type JSONRPCMessage,
  type RequestId,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { VERSION } from '@contextd/shared/version'

/** The params of `tools/call`. */
export interface CallParams {
  readonly name: string
  readonly arguments?: JsonObject | undefined
}

/** One call through the pipeline, with an MCP result or error. */
export type CallTool = (params: CallParams, ctx: ServerContext) => Promise<JsonObject>

/** The result or error of a direct call that the SDK has to format. */
type Ended = { readonly value: JsonObject } | { readonly error: unknown }

/** A connection after the SDK has settled its protocol. */
interface Settled {
  readonly server: Server
  readonly era: 'legacy' | 'modern'
  readonly call: CallTool
  /** Envelopes that the SDK has validated, as text. */
  readonly envelopes: Set<string>
}

export interface DirectCalls {
  /**
   * Returns the handler for calls that arrive through the SDK; after the first of them, later ones can be handled
   * directly.
   */
  attach(server: Server, era: 'legacy' | 'modern', call: CallTool): CallTool
  /** True if the message was handled here; otherwise it is for the SDK. */
  take(message: JSONRPCMessage): boolean
  /** Cancels running calls. */
  close(): void
}

export interface DirectCallsOptions {
  /** Passes a message to the SDK. */
  readonly pass: (message: JSONRPCMessage) => void
  /** Writes a line to the client, which answers the request with this id. */
  readonly write: (id: RequestId, line: string) => void
  /** Called if an answer could not be sent. */
  readonly failed: (error: Error) => void
}

/**
 * Handles `tools/call` without the SDK's server, whose bookkeeping and validation cost more than our whole pipeline.
 * Only for plain calls: the SDK gets the first call, which settles era and client, every call with more than a name
 * and arguments, and every result of a direct call that is not plain text, to validate and write it.
 */
export function createDirectCalls({ pass, write, failed }: DirectCallsOptions): DirectCalls {
  const running = new Map<RequestId, AbortController>()
  const ends = new WeakMap<object, Ended>()
  let settled: Settled | undefined
  let sdkIsAtWork = false

  const run = async ({ server, era, call }: Settled, message: Request, direct: Direct): Promise<void> => {
    const { id, method } = message
    const controller = new AbortController()
    const { signal } = controller
    running.set(id, controller)
    let ended: Ended
    try {
      ended = { value: await call(direct.params, contextOf(server, { id, method, signal, ...direct })) }
    } catch (error) {
      ended = { error }
    }
    running.delete(id)
    if (signal.aborted) return
    const line = 'value' in ended ? plainLine(id, ended.value, era) : undefined
    if (line !== undefined) write(id, line)
    else pass(withEnd(message, ended))
  }

  const withEnd = ({ params, ...message }: Request, ended: Ended): JSONRPCMessage => {
    const end = {}
    ends.set(end, ended)
    return { ...message, params: { ...params, _meta: { ...params?._meta, [endKey]: end } } }
  }

  const cancels = (params: Json | undefined): boolean => {
    if (!isJsonObject(params) || !isRequestId(params.requestId)) return false
    const { requestId, reason, _meta } = params
    const controller = running.get(requestId)
    // Malformed notifications are left to the SDK, which drops them.
    if (controller === undefined || !(reason === undefined || typeof reason === 'string')) return false
    if (_meta !== undefined && !isJsonObject(_meta)) return false
    controller.abort(reason)
    return true
  }

  const startsDirectly = (message: Request): boolean => {
    if (settled === undefined || sdkIsAtWork || message.method !== 'tools/call') return false
    const direct = directCall(settled, message.params)
    if (direct === undefined) return false
    run(settled, message, direct).catch(failed)
    return true
  }

  /** Later messages of the same batch of input must reach the SDK after this one. */
  const passToSdk = (): false => {
    if (!sdkIsAtWork) setImmediate(() => (sdkIsAtWork = false))
    sdkIsAtWork = true
    return false
  }

  return {
    attach(server, era, call) {
      const mine: Settled = { server, era, call, envelopes: new Set() }
      return async (params, ctx) => {
        const { _meta, envelope } = ctx.mcpReq
        const end = _meta?.[endKey]
        const ended = typeof end === 'object' && end !== null ? ends.get(end) : undefined
        if (ended === undefined) {
          settled = mine
          if (envelope !== undefined) remember(mine.envelopes, JSON.stringify(envelope))
          return call(params, ctx)
        }
        // Once only: if the SDK asks the client and calls again, the tool runs again.
        ends.delete(end as object)
        if ('error' in ended) throw ended.error
        return ended.value
      }
    },
    take(message) {
      if (!('method' in message)) return passToSdk()
      if ('id' in message) return startsDirectly(message as unknown as Request) || passToSdk()
      const isCancelled = message.method === 'notifications/cancelled'
      return (isCancelled && cancels(message.params as Json | undefined)) || passToSdk()
    },
    close() {
      settled = undefined
      for (const controller of running.values()) controller.abort()
    },
  }
}

/** A call that passed `checkMessage`. */
interface Request {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: CallParams & { readonly _meta?: JsonObject }
}

/** A call that the SDK need not validate. */
interface Direct {
  readonly params: CallParams
  /** What every request of 2026-07-28 states about its sender. */
  readonly envelope: JsonObject | undefined
  /** The rest of `_meta`. */
  readonly _meta: JsonObject | undefined
}

/** Cannot be set by a client: its value is used only if it is an object we created. */
const endKey = 'dev.contextd/ended'

const envelopeKeys = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
]

/** A client has one envelope, or a few if it changes the log level. */
const maxEnvelopes = 16

function remember(envelopes: Set<string>, text: string): void {
  if (envelopes.size >= maxEnvelopes) envelopes.clear()
  envelopes.add(text)
}

function isRequestId(value: Json | undefined): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}

/** Undefined if the SDK must handle it. */
function directCall(settled: Settled, params: Request['params']): Direct | undefined {
  if (params === undefined) return undefined
  for (const key in params) {
    if (key !== 'name' && key !== 'arguments' && key !== '_meta') return undefined
  }
  if (params.arguments !== undefined && Object.hasOwn(params.arguments, '__proto__')) return undefined
  const { server, era, envelopes } = settled
  if (era === 'modern') return withEnvelope(params, envelopes)
  const { _meta } = params
  const isPlain = _meta === undefined || envelopeKeys.every((key) => !(key in _meta))
  if (!isPlain || server.getNegotiatedProtocolVersion() === undefined) return undefined
  return { params, envelope: undefined, _meta }
}

function withEnvelope(
  params: NonNullable<Request['params']>,
  envelopes: ReadonlySet<string>,
): Direct | undefined {
  const rest = { ...params._meta }
  const envelope: JsonObject = {}
  for (const key of envelopeKeys) {
    const value = rest[key]
    if (value === undefined) continue
    envelope[key] = value
    delete rest[key]
  }
  if (!envelopes.has(JSON.stringify(envelope))) return undefined
  return { params, envelope, _meta: Object.keys(rest).length === 0 ? undefined : rest }
}

interface Asked extends Direct {
  readonly id: RequestId
  readonly method: string
  readonly signal: AbortSignal
}

/** The SDK's request context, as far as we use it. */
function contextOf(server: Server, { id, method, signal, envelope, _meta }: Asked): ServerContext {
  const mcpReq = {
    id,
    method,
    signal,
    envelope,
    _meta,
    requestState: () => undefined,
    send: (...args: Parameters<Server['request']>) => server.request(...args),
    notify: (notification: Parameters<Server['notification']>[0]) => server.notification(notification),
  }
  return { mcpReq } as unknown as ServerContext
}

const serverInfo = { name: 'contextd', version: VERSION }

/** The answer as the SDK would write it, if it contains nothing that the SDK would change or refuse. */
function plainLine(id: RequestId, value: JsonObject, era: 'legacy' | 'modern'): string | undefined {
  const { content, structuredContent, isError, _meta } = value
  const texts = Array.isArray(content) && content.every(isPlainText) ? content : undefined
  if (texts === undefined || Object.keys(value).some((key) => !plainMembers.has(key))) return undefined
  if (_meta !== undefined && !isPlainMeta(_meta)) return undefined
  if (structuredContent !== undefined && !isPlainObject(structuredContent)) return undefined
  // Undefined fields are omitted.
  const rest = { content: texts.map(({ type, text }) => ({ type, text })), structuredContent, isError }
  const result =
    era === 'legacy'
      ? { _meta, ...rest }
      : _meta === undefined
        ? { ...rest, resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo } }
        : { _meta: { ..._meta, [SERVER_INFO_META_KEY]: serverInfo }, ...rest, resultType: 'complete' }
  return JSON.stringify({ result, jsonrpc: '2.0', id })
}

const plainMembers: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta'])

function isPlainText(block: Json): block is { type: 'text'; text: string } {
  return (
    isJsonObject(block) &&
    block.type === 'text' &&
    typeof block.text === 'string' &&
    Object.keys(block).length === 2
  )
}

/** Whether it has no fields that the SDK uses. */
function isPlainMeta(meta: Json): meta is JsonObject {
  return (
    isPlainObject(meta) &&
    !('progressToken' in meta) &&
    !(RELATED_TASK_META_KEY in meta) &&
    !(SERVER_INFO_META_KEY in meta)
  )
}

function isPlainObject(value: Json): value is JsonObject {
  return isJsonObject(value) && !Object.hasOwn(value, '__proto__')
}
