/** MCP messages over HTTP: each is sent in its own request, and most answers arrive in the response to it. */

import { isJsonObject, isWithinDepth, type JsonObject } from '@contextd/shared/json/value'
import { maxMessageDepth } from '../../../platform/message-json.ts'
import { ConnectionLost } from '../connection.ts'
import type { Wire } from '../rpc/peer.ts'
import { isRequestId } from '../rpc/protocol.ts'
import {
  acceptAnswer,
  cancelRequest,
  sendRequest,
  sendSideMessage,
  type RequestContext,
  type WireParts,
  type WireState,
} from './wire-state.ts'

export interface HttpWire extends Wire {
  /** Applies the context to the first request of its method that `work` sends synchronously. */
  withContext<T>(context: RequestContext, work: () => T): T
  /** Called with the kind of response that a request got. */
  onResponse(mark: string | undefined, isStream: boolean): void
  /** Resolves when the messages that must come first have been delivered. */
  ready(): Promise<unknown>
  /** Stops sending, and reports requests that were never sent as lost. */
  end(why: string): void
}

export function createHttpWire(parts: WireParts): HttpWire {
  const wire: WireState = {
    parts,
    waiting: new Map(),
    lingering: new Map(),
    gate: Promise.resolve(),
    sideMessages: 0,
    nextContext: undefined,
    problem: undefined,
  }
  Object.assign(parts.transport, {
    onmessage: (message: JsonObject) => accept(wire, message),
    onerror: (error: Error) => onTransportError(wire, error),
  })
  return {
    send: (text) => send(wire, JSON.parse(text) as JsonObject),
    backlog: () => 0,
    ready: () => wire.gate,
    end: (why) => end(wire, why),
    withContext(context, work) {
      wire.nextContext = context
      try {
        return work()
      } finally {
        wire.nextContext = undefined
      }
    },
    onResponse(mark, isStream) {
      const sent = mark === undefined ? undefined : wire.waiting.get(Number(mark))
      if (sent !== undefined) sent.isStream = isStream
    },
  }
}

function send(wire: WireState, message: JsonObject): void {
  const { id, method, params } = message
  const cancelled =
    method === 'notifications/cancelled' && isJsonObject(params) ? params.requestId : undefined
  if (method !== undefined && isRequestId(id)) sendRequest(wire, message, id)
  else if (isRequestId(cancelled)) {
    if (wire.waiting.has(cancelled)) cancelRequest(wire, message, cancelled)
  } else void sendSideMessage(wire, message)
}

function accept(wire: WireState, message: JsonObject): void {
  const { id, method } = message
  wire.problem = undefined
  if (method === undefined && isRequestId(id)) acceptAnswer(wire, message, id)
  else if (isWithinDepth(message, maxMessageDepth)) wire.parts.receive(message)
}

function onTransportError(wire: WireState, error: Error): void {
  if (error.name === 'SyntaxError' || error.name === 'ZodError') {
    wire.problem = 'it sent an invalid message'
  }
  wire.parts.onTransportError(error)
}

function end({ waiting, lingering }: WireState, why: string): void {
  const unsent = [...waiting.values()].filter(({ isSent }) => !isSent)
  waiting.clear()
  for (const timer of lingering.values()) clearTimeout(timer)
  for (const { context } of unsent) context?.onLost(new ConnectionLost(why, { sent: false }))
}
