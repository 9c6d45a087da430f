/** The requests of one HTTP connection: sent in order, answered, cancelled or failed. */

import { setTimeout as sleep } from 'node:timers/promises'

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

import { isJsonObject, isWithinDepth, type JsonObject } from '@contextd/shared/json/value'
import { maxMessageDepth, type RequestId } from '../../../platform/message-json.ts'
import { ServerError, type ConnectionLost } from '../connection.ts'
import { rpcErrors } from '../rpc/protocol.ts'
import type { RequestFailure } from './failure.ts'
import { markHeader, RequestFailed } from './fetch.ts'

/** What one request adds to its message. */
export interface RequestContext {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly onLost: (lost: ConnectionLost) => void
}

export interface WireParts {
  readonly transport: Transport
  /** Whether an answer arrives in the response to its request. */
  readonly answersInResponse: boolean
  /** Whether closing the response cancels a request. */
  readonly closingCancels: boolean
  readonly failureOf: (error: unknown) => RequestFailure
  /** Called with each message for the conversation. */
  readonly receive: (message: JsonObject) => void
  readonly onUnreadable: (id: RequestId, why: string) => void
  /** Called with failures that may end the conversation. */
  readonly onFailure: (failure: RequestFailure) => void
  /** Called with errors of the transport that belong to no request. */
  readonly onTransportError: (error: Error) => void
}

interface SentRequest {
  readonly method: string
  readonly abort: AbortController
  readonly context: RequestContext | undefined
  isSent: boolean
  isStream: boolean
}

export interface WireState {
  readonly parts: WireParts
  /** Requests without an answer. */
  readonly waiting: Map<RequestId, SentRequest>
  /** Answered requests whose stream is still open. */
  readonly lingering: Map<RequestId, NodeJS.Timeout>
  /** Resolves when messages may be sent. */
  gate: Promise<unknown>
  /** Notifications and answers that are being sent. */
  sideMessages: number
  nextContext: RequestContext | undefined
  /** What was wrong with the last message that could not be parsed. */
  problem: string | undefined
}

/** More notifications and answers than this are not queued but dropped. */
const maxSideMessages = 64
/** For a server to end the stream after its answer. */
const lingerMs = 1000
/** Must be delivered before anything else is sent, but delays it at most this long. */
const sentFirst = new Set(['notifications/initialized', 'logging/setLevel'])
const gateMs = 2000

type SendOptions = Parameters<Transport['send']>[1]

function sendInOrder(
  wire: WireState,
  message: JsonObject,
  options?: SendOptions,
  isWanted = (): boolean => true,
): Promise<void> {
  const sending = wire.gate.then(() =>
    isWanted() ? wire.parts.transport.send(message as unknown as JSONRPCMessage, options) : undefined,
  )
  if (sentFirst.has(message.method as string)) {
    wire.gate = Promise.race([sending.catch(() => {}), sleep(gateMs, undefined, { ref: false })])
  }
  return sending
}

export function sendRequest(wire: WireState, message: JsonObject, id: RequestId): void {
  const method = message.method as string
  const context = wire.nextContext?.method === method ? wire.nextContext : undefined
  if (context !== undefined) wire.nextContext = undefined
  const sent: SentRequest = {
    method,
    abort: new AbortController(),
    context,
    isSent: false,
    isStream: false,
  }
  wire.waiting.set(id, sent)
  void deliver(wire, message, id, sent)
}

async function deliver(
  wire: WireState,
  message: JsonObject,
  id: RequestId,
  sent: SentRequest,
): Promise<void> {
  try {
    const options = {
      requestSignal: sent.abort.signal,
      headers: { ...sent.context?.headers, [markHeader]: String(id) },
      onRequestStreamEnd: () => onStreamEnd(wire, id),
    }
    await sendInOrder(wire, message, options, () => (sent.isSent = wire.waiting.has(id)))
    if (wire.parts.answersInResponse && !sent.isStream) {
      failRequest(wire, id, new RequestFailed('it sent no answer', true))
    }
  } catch (error) {
    failRequest(wire, id, error)
  }
}

/** Sends a notification or an answer. */
export async function sendSideMessage(wire: WireState, message: JsonObject): Promise<void> {
  if (wire.sideMessages >= maxSideMessages) return
  wire.sideMessages += 1
  try {
    await sendInOrder(wire, message)
  } catch (error) {
    const failure = wire.parts.failureOf(error)
    if (failure.isOver) wire.parts.onFailure(failure)
  } finally {
    wire.sideMessages -= 1
  }
}

export function cancelRequest(wire: WireState, message: JsonObject, id: RequestId): void {
  const { abort, isSent } = wire.waiting.get(id)!
  wire.waiting.delete(id)
  if (wire.parts.closingCancels || !isSent) abort.abort()
  else void sendSideMessage(wire, message).finally(() => abort.abort())
}

export function acceptAnswer(wire: WireState, message: JsonObject, id: RequestId): void {
  const { transport, onUnreadable, receive } = wire.parts
  const sent = wire.waiting.get(id)
  wire.waiting.delete(id)
  if (sent?.isStream === true) {
    const timer = setTimeout(() => {
      wire.lingering.delete(id)
      sent.abort.abort()
    }, lingerMs)
    wire.lingering.set(id, timer.unref())
  }
  const { result } = message
  if (sent?.method === 'initialize' && isJsonObject(result) && typeof result.protocolVersion === 'string') {
    transport.setProtocolVersion?.(result.protocolVersion)
  }
  if (isWithinDepth(message, maxMessageDepth)) receive(message)
  else onUnreadable(id, `it nests deeper than ${maxMessageDepth} levels`)
}

function onStreamEnd(wire: WireState, id: RequestId): void {
  clearTimeout(wire.lingering.get(id))
  wire.lingering.delete(id)
  failRequest(wire, id, new RequestFailed(wire.problem ?? 'its answer was cut off', true))
}

/** Settles the request with an error if it has no answer yet. */
function failRequest(wire: WireState, id: RequestId, error: unknown): void {
  const { failureOf, onFailure, receive } = wire.parts
  const sent = wire.waiting.get(id)
  if (sent === undefined) return
  wire.waiting.delete(id)
  sent.abort.abort()
  const failure = failureOf(error)
  onFailure(failure)
  const { code, message, data } =
    failure.error instanceof ServerError
      ? failure.error
      : { code: rpcErrors.internal, message: failure.error.message, data: undefined }
  if (!(failure.error instanceof ServerError)) sent.context?.onLost(failure.error)
  receive({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
}
