/** Messages of the protocol over HTTP: each goes in a request of its own, and most are answered in its response. */

import { setTimeout as sleep } from 'node:timers/promises'

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { maxMessageDepth, type RequestId } from '../../../platform/message-json.ts'
import { ConnectionLost, ServerError } from '../connection.ts'
import type { Wire } from '../rpc/peer.ts'
import { rpcErrors } from '../rpc/protocol.ts'
import type { RequestFailure } from './failure.ts'
import { markHeader, RequestFailed } from './fetch.ts'

export interface HttpWire extends Wire {
  /** For the first request of this method that `work` sends at once. */
  attend<T>(attention: Attention, work: () => T): T
  /** Hears from the fetch what kind of answer a request has. */
  answered(mark: string | undefined, isStream: boolean): void
  /** Resolves when everything that comes first has arrived. */
  ready(): Promise<unknown>
  /** Nothing is sent any more; what never was hears so. */
  end(why: string): void
}

export interface Attention {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly onLost: (lost: ConnectionLost) => void
}

export interface WireParts {
  readonly transport: Transport
  /** Whether an answer comes in the response to its request. */
  readonly answersInPlace: boolean
  /** Whether hanging up is how a request is cancelled. */
  readonly hangsUp: () => boolean
  readonly failureOf: (error: unknown) => RequestFailure
  /** A message for the conversation. */
  readonly receive: (message: JsonObject) => void
  readonly spoilt: (id: RequestId, why: string) => void
  /** A failure that the conversation may not survive; `isAttended` where someone else heard of it. */
  readonly onFailure: (failure: RequestFailure, isAttended: boolean) => void
  /** What the transport complains of beside requests. */
  readonly onComplaint: (error: Error) => void
}

interface Sent {
  readonly method: string
  readonly hangUp: AbortController
  readonly attention: Attention | undefined
  isOut: boolean
  isStream: boolean
}

/** Messages beside requests that wait for their turn; a server that asks for more of them gets no answer. */
const maxSideMessages = 64
/** For a server to end the stream that its answer came in. */
const lingerMs = 1000
/** What must have arrived before anything else is sent; but nobody waits for it for long. */
const firstOfAll = new Set(['notifications/initialized', 'logging/setLevel'])
const gateMs = 2000

export function createHttpWire(parts: WireParts): HttpWire {
  const { transport, answersInPlace, hangsUp, failureOf, receive } = parts
  const waiting = new Map<RequestId, Sent>()
  const lingering = new Map<RequestId, NodeJS.Timeout>()
  let gate: Promise<unknown> = Promise.resolve()
  let aside = 0
  let attention: Attention | undefined
  let problem: string | undefined

  const sendInTurn = (
    message: JsonObject,
    options?: Parameters<Transport['send']>[1],
    isWanted = (): boolean => true,
  ): Promise<void> => {
    const sending = gate.then(() =>
      isWanted() ? transport.send(message as unknown as JSONRPCMessage, options) : undefined,
    )
    if (firstOfAll.has(message.method as string)) {
      gate = Promise.race([sending.catch(() => {}), sleep(gateMs, undefined, { ref: false })])
    }
    return sending
  }

  const fail = (id: RequestId, error: unknown): void => {
    const sent = waiting.get(id)
    if (sent === undefined) return
    waiting.delete(id)
    sent.hangUp.abort()
    const failure = failureOf(error)
    parts.onFailure(failure, sent.attention !== undefined)
    const { code, message, data } =
      failure.error instanceof ServerError
        ? failure.error
        : { code: rpcErrors.internal, message: failure.error.message, data: undefined }
    if (!(failure.error instanceof ServerError)) sent.attention?.onLost(failure.error)
    receive({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
  }

  const streamEnded = (id: RequestId): void => {
    clearTimeout(lingering.get(id))
    lingering.delete(id)
    fail(id, new RequestFailed(problem ?? 'its answer broke off', true))
  }

  const sendRequest = (message: JsonObject, id: RequestId): void => {
    const method = message.method as string
    const attended = attention?.method === method ? attention : undefined
    if (attended !== undefined) attention = undefined
    const sent: Sent = {
      method,
      hangUp: new AbortController(),
      attention: attended,
      isOut: false,
      isStream: false,
    }
    waiting.set(id, sent)
    void deliver(message, id, sent)
  }

  const deliver = async (message: JsonObject, id: RequestId, sent: Sent): Promise<void> => {
    try {
      const options = {
        requestSignal: sent.hangUp.signal,
        headers: { ...sent.attention?.headers, [markHeader]: String(id) },
        onRequestStreamEnd: () => streamEnded(id),
      }
      await sendInTurn(message, options, () => (sent.isOut = waiting.has(id)))
      if (answersInPlace && !sent.isStream) fail(id, new RequestFailed('it gave no answer', true))
    } catch (error) {
      fail(id, error)
    }
  }

  const sendAside = async (message: JsonObject): Promise<void> => {
    if (aside >= maxSideMessages) return
    aside += 1
    try {
      await sendInTurn(message)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.isOver) parts.onFailure(failure, false)
    } finally {
      aside -= 1
    }
  }

  const cancel = (message: JsonObject, id: RequestId): void => {
    const { hangUp, isOut } = waiting.get(id)!
    waiting.delete(id)
    if (hangsUp() || !isOut) hangUp.abort()
    else void sendAside(message).finally(() => hangUp.abort())
  }

  const answer = (message: JsonObject, id: RequestId): void => {
    const sent = waiting.get(id)
    waiting.delete(id)
    if (sent?.isStream === true) {
      const timer = setTimeout(() => {
        lingering.delete(id)
        sent.hangUp.abort()
      }, lingerMs)
      lingering.set(id, timer.unref())
    }
    const { result } = message
    if (sent?.method === 'initialize' && isJsonObject(result) && typeof result.protocolVersion === 'string') {
      transport.setProtocolVersion?.(result.protocolVersion)
    }
    if (nestsDeeper(message, maxMessageDepth))
      parts.spoilt(id, `it nests deeper than ${maxMessageDepth} levels`)
    else receive(message)
  }

  const take = (message: JsonObject): void => {
    const { id, method } = message
    problem = undefined
    if (method === undefined && isId(id)) answer(message, id)
    else if (!nestsDeeper(message, maxMessageDepth)) receive(message)
  }
  const complain = (error: Error): void => {
    if (error.name === 'SyntaxError' || error.name === 'ZodError') problem = 'it sends what is no message'
    parts.onComplaint(error)
  }
  Object.assign(transport, { onmessage: take, onerror: complain })

  return {
    send(text) {
      const message = JSON.parse(text) as JsonObject
      const { id, method, params } = message
      const cancelled =
        method === 'notifications/cancelled' && isJsonObject(params) ? params.requestId : undefined
      if (method !== undefined && isId(id)) sendRequest(message, id)
      else if (isId(cancelled)) {
        if (waiting.has(cancelled)) cancel(message, cancelled)
      } else void sendAside(message)
    },
    backlog: () => 0,
    ready: () => gate,
    end(why) {
      const unsent = [...waiting.values()].filter(({ isOut }) => !isOut)
      waiting.clear()
      for (const timer of lingering.values()) clearTimeout(timer)
      for (const { attention: attended } of unsent) attended?.onLost(new ConnectionLost(why, { sent: false }))
    },
    attend(next, work) {
      attention = next
      try {
        return work()
      } finally {
        attention = undefined
      }
    },
    answered(mark, isStream) {
      const sent = mark === undefined ? undefined : waiting.get(Number(mark))
      if (sent !== undefined) sent.isStream = isStream
    },
  }
}

function isId(id: Json | undefined): id is RequestId {
  return typeof id === 'number' || typeof id === 'string'
}

/** No deeper than that does anything walk through what a server sent. */
function nestsDeeper(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (nestsDeeper(inner, levels - 1)) return true
  }
  return false
}
