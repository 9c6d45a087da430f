/** A single handler for all methods of all services, created from the descriptors once instead of per call. */

import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'

import {
  fromJson,
  toJson,
  type DescMessage,
  type DescMethod,
  type JsonValue,
  type Message,
} from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import {
  ConnectError,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type ConnectRouter,
  type HandlerContext,
  type MethodImpl,
} from '@connectrpc/connect'

import type { Runtime } from '../../compose.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { createHeldBytes } from '../limits/held-bytes.ts'
import { checkSingleHeaders } from '../limits/single-headers.ts'
import type { Workspaces } from '../sessions/workspaces.ts'
import type { ApiCaller } from '../sessions/callers.ts'
import type { GrpcPeer, GrpcPeers } from './grpc-callers.ts'
import { toConnectError } from './grpc-errors.ts'
import { createBoundedQueue } from './grpc-events.ts'
import type { CallerLimits } from './grpc-limits.ts'
import { keptBytes } from './grpc-requests.ts'
import { addHealth } from './health.ts'
import { methodOf, readRequest, services } from './messages.ts'
import { perform, performStream } from './perform.ts'
import { sendStatus, serveStream } from './grpc-wire.ts'
import { addReflection } from './reflection.ts'

export interface HandlerParts {
  readonly runtime: Runtime
  readonly workspaces: Pick<Workspaces, 'use'>
  readonly peers: GrpcPeers
  readonly limits: CallerLimits
  /** Aborted on shutdown, which ends waiting streams. */
  readonly ending: AbortSignal
}

interface Admitted {
  readonly runtime: Runtime
  readonly caller: ApiCaller
  readonly peer: GrpcPeer
  /** Empty if the client set no deadline. */
  readonly time: { readonly deadline?: number }
}

/** The identified peer of a call. */
const peerKey = createContextKey<GrpcPeer | undefined>(undefined)
const notThere = 404
const wrongMethod = 405

export function createGrpcHandler(
  parts: HandlerParts,
): (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: readonly string[],
) => void {
  const { runtime, peers, limits, ending } = parts
  const router = createConnectRouter({
    readMaxBytes: runtime.config.control.message_bytes,
    shutdownSignal: ending,
    // Fields with default values are included in JSON, as in `ctxd --json`.
    jsonOptions: { alwaysEmitImplicit: true },
  })

  for (const service of services) {
    for (const method of service.methods) {
      const rpc = `${service.name}/${method.name}`
      addMethod(router, method, rpc, parts)
    }
  }
  addHealth(router)
  addReflection(router)
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]))
  const held = createHeldBytes(runtime.config.control.message_bytes)

  /**
   * Counts the call before any of its message is stored and until its answer is sent, so that unread answers count
   * too.
   */
  const enter = (
    stream: ServerHttp2Stream,
    rawHeaders: readonly string[],
  ): { body: AsyncIterable<Uint8Array>; peer?: GrpcPeer } => {
    try {
      const wrong = checkSingleHeaders(rawHeaders)
      if (wrong !== undefined) throw wrong
      const peer = peers(stream)
      stream.once('close', limits.enter(peer.key))
      return { body: keptBytes(held.open(peer.key), stream), peer }
    } catch (error) {
      // Thrown when the body is read, so that the error is sent in the protocol of the call.
      return { body: failing(toConnectError(error)) }
    }
  }

  return (stream, headers, _flags, rawHeaders) => {
    // On any stream error, the stream is closed and the call aborted.
    stream.on('error', () => {})
    const handler = handlers.get(headers[':path'] ?? '')
    if (handler === undefined) return sendStatus(stream, notThere)
    if (headers[':method'] !== 'POST') return sendStatus(stream, wrongMethod)
    if (stream.destroyed) return
    const { body, peer } = enter(stream, rawHeaders)
    const values = createContextValues().set(peerKey, peer)
    serveStream(handler, { stream, headers, body, values }).catch((error: unknown) => {
      if (!stream.destroyed)
        runtime.log('warn', 'an answer over gRPC could not be sent', { cause: String(error) })
      stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    })
  }
}

function addMethod(
  router: ConnectRouter,
  method: DescMethod,
  rpc: string,
  { runtime, workspaces }: HandlerParts,
): void {
  const writes = method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS
  const { input, output } = method
  const requestIn = (message: Message): JsonObject => {
    if (writes && hasUnknownFields(message, input)) {
      throw new ContextdError('INVALID_REQUEST', {
        what: `${input.name} has unknown fields`,
        hint: 'Use the proto files of the running contextd version.',
      })
    }
    return toJson(input, message) as JsonObject
  }
  const toMessage = (json: JsonObject): Message =>
    fromJson(output, json as JsonValue, { ignoreUnknownFields: true })

  /** Runs work for an identified peer, with the runtime of its folder. */
  const within = async <T>(context: HandlerContext, work: (call: Admitted) => Promise<T>): Promise<T> => {
    const left = context.timeoutMs()
    const time = left === undefined ? {} : { deadline: Date.now() + left }
    try {
      const { requestHeader, values } = context
      const peer = values.get(peerKey)
      if (peer === undefined) throw new ContextdError('INTERNAL')
      const caller = peer.callerOf(requestHeader)
      const workspace = peer.workspaceOf(requestHeader)
      return await workspaces.use(workspace, (one) => work({ runtime: one, caller, peer, time }))
    } catch (error) {
      throw endOf(context, error, runtime, rpc)
    }
  }

  const unary = (message: Message, context: HandlerContext): Promise<Message> =>
    within(context, async ({ runtime, caller, time }) => {
      const options = { signal: context.signal, ...time }
      return toMessage(await perform(runtime, rpc, requestIn(message), caller, options))
    })

  async function* streaming(message: Message, context: HandlerContext): AsyncGenerator<Message> {
    const stop = new AbortController()
    const signal = AbortSignal.any([context.signal, stop.signal])
    const events = createBoundedQueue<Message>(() => stop.abort())
    const done = within(context, ({ runtime, caller, peer, time }) => {
      const onEvent = (event: JsonObject): unknown => {
        if (peer.isLive()) {
          events.push(toMessage(event))
          return events.room()
        }
        events.end(new ContextdError('CERTIFICATE_REQUIRED'))
        stop.abort()
      }
      return performStream(runtime, rpc, requestIn(message), caller, { signal, onEvent, ...time })
    })
    done.then(
      () => events.end(),
      (error: unknown) => events.end(error),
    )
    try {
      yield* events
    } catch (error) {
      throw toConnectError(error)
    } finally {
      stop.abort()
      // Releases a producer that waits for room.
      events.end()
    }
  }

  const impl = method.methodKind === 'unary' ? unary : streaming
  router.rpc(method, impl as MethodImpl<DescMethod>, { jsonOptions: strictJson(rpc) })
}

function failing(error: ConnectError): AsyncIterable<Uint8Array> {
  const next = async (): Promise<never> => {
    throw error
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

/** A call whose client disconnected or timed out ends with that error, regardless of the tool's. */
function endOf({ signal }: HandlerContext, error: unknown, { log }: Runtime, rpc: string): ConnectError {
  if (signal.aborted && signal.reason instanceof ConnectError) return signal.reason
  if (!(error instanceof CodedError)) log('error', 'a call over gRPC failed', { rpc, cause: String(error) })
  return toConnectError(error)
}

/**
 * Validates JSON before connect parses it, because the library's error messages repeat values. The text decoder is
 * the only hook that connect offers.
 */
function strictJson(rpc: string): {
  alwaysEmitImplicit: true
  textDecoder: { decode(bytes: Uint8Array): string }
} {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  return {
    alwaysEmitImplicit: true,
    textDecoder: {
      decode(bytes: Uint8Array) {
        try {
          const text = utf8.decode(bytes)
          readRequest(rpc, parsed(text))
          return text
        } catch (error) {
          throw toConnectError(
            error instanceof CodedError
              ? error
              : new ContextdError('INVALID_REQUEST', {
                  what: 'the message is not JSON in UTF-8',
                  hint: `Send the ${methodOf(rpc).input.name} as a JSON object.`,
                }),
          )
        }
      },
    },
  }
}

function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject
}

/** Well-known Struct, Value and ListValue messages may hold any JSON, so they have no unknown fields. */
function hasUnknownFields(message: Message, desc: DescMessage): boolean {
  if ((message.$unknown?.length ?? 0) > 0) return true
  return desc.fields.some((field) => {
    if (field.fieldKind !== 'message' || field.message.typeName.startsWith('google.protobuf.')) return false
    const value = (message as unknown as Record<string, unknown>)[field.localName]
    return value !== undefined && hasUnknownFields(value as Message, field.message)
  })
}
