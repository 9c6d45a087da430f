/** JSON-RPC with one server: requests and their answers. Every call passes through here, so it does little. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { RequestId } from '../../../platform/message-json.ts'
import { ConnectionLost, ServerError, type Exchange } from '../connection.ts'
import { legacyParams, type DecorateParams } from './params.ts'
import { isRequestId, rpcErrors } from './protocol.ts'

export interface Wire {
  send(text: string): void
  /** Bytes that are queued because the server does not read them. */
  backlog(): number
}

export interface Incoming {
  /** Called with requests of the server. */
  request(id: RequestId, method: string, params: JsonObject): void
  notification(method: string, params: JsonObject): void
}

export interface RpcPeer {
  request(method: string, params: JsonObject, exchange: Exchange): Promise<JsonObject>
  /** Sends a request without the checks and cancellation of `request`. Returns its id. */
  post(method: string, params: JsonObject, exchange: Exchange, onAnswer: (answer: RpcAnswer) => void): number
  /** Cancels a request, and notifies the server. */
  cancel(id: number): void
  notify(method: string, params?: JsonObject): void
  answer(id: RequestId, result: JsonObject): void
  refuse(id: RequestId, error: { code: number; message: string; data?: Json | undefined }): void
  receive(message: unknown): void
  /** Fails a request whose answer cannot be read. */
  onUnreadable(id: RequestId, why: string): void
  /** Unanswered requests, oldest first. */
  running(): Iterable<Exchange>
  exchangeOf(id: Json | undefined): Exchange | undefined
  /** Sets how the params of later requests are decorated. */
  setDecoration(decorate: DecorateParams): void
  /** Fails all unanswered requests; only the first call has an effect. */
  end(lost: ConnectionLost): void
}

export type RpcAnswer = { readonly result: JsonObject } | { readonly error: Error }

interface RunningRequest {
  readonly exchange: Exchange
  readonly onAnswer: (answer: RpcAnswer) => void
}

interface PeerState {
  readonly wire: Wire
  readonly incoming: Incoming
  readonly running: Map<number, RunningRequest>
  nextId: number
  decorate: DecorateParams
  over: ConnectionLost | undefined
}

/** A server that is this far behind in reading gets no more requests. */
const maxBacklogBytes = 8 << 20

export function createPeer(wire: Wire, incoming: Incoming): RpcPeer {
  const peer: PeerState = {
    wire,
    incoming,
    running: new Map(),
    nextId: 1,
    decorate: legacyParams,
    over: undefined,
  }
  return {
    request: (method, params, exchange) => request(peer, method, params, exchange),
    post: (method, params, exchange, onAnswer) => post(peer, method, params, exchange, onAnswer),
    cancel: (id) => cancel(peer, id),
    notify: (method, params) => notify(peer, method, params),
    answer: (id, result) => sendUnlessBehind(peer, { jsonrpc: '2.0', id, result }),
    refuse: (id, { code, message, data }) =>
      sendUnlessBehind(peer, {
        jsonrpc: '2.0',
        id,
        error: { code, message, ...(data !== undefined && { data }) },
      }),
    receive: (message) => receive(peer, message),
    onUnreadable: (id, why) => settle(peer, id, unreadableAnswer(why)),
    *running() {
      for (const { exchange } of peer.running.values()) yield exchange
    },
    exchangeOf: (id) => (typeof id === 'number' ? peer.running.get(id)?.exchange : undefined),
    setDecoration(decorate) {
      peer.decorate = decorate
    },
    end: (lost) => end(peer, lost),
  }
}

function request(
  peer: PeerState,
  method: string,
  params: JsonObject,
  exchange: Exchange,
): Promise<JsonObject> {
  const { signal } = exchange
  const why = reasonNotToSend(peer, signal)
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason the caller aborted with
  if (why !== undefined) return Promise.reject(why)
  return new Promise((resolve, reject) => {
    const id = post(peer, method, params, exchange, (answer) => {
      signal.removeEventListener('abort', onAbort)
      if ('result' in answer) resolve(answer.result)
      else reject(answer.error)
    })
    const onAbort = (): void => {
      cancel(peer, id)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

function reasonNotToSend({ over, wire }: PeerState, signal: AbortSignal): unknown {
  if (over !== undefined) return new ConnectionLost(over.message, { sent: false, lastLine: over.lastLine })
  if (signal.aborted) return signal.reason
  if (wire.backlog() > maxBacklogBytes) {
    return new ConnectionLost('the server does not read what it is sent', { sent: false })
  }
  return undefined
}

function post(
  peer: PeerState,
  method: string,
  params: JsonObject,
  exchange: Exchange,
  onAnswer: (answer: RpcAnswer) => void,
): number {
  const id = peer.nextId++
  peer.running.set(id, { exchange, onAnswer })
  const decorated = JSON.stringify(peer.decorate(params, exchange, id))
  peer.wire.send(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${decorated}}\n`)
  return id
}

function cancel(peer: PeerState, id: number): void {
  if (peer.running.delete(id)) notify(peer, 'notifications/cancelled', { requestId: id })
}

function notify(peer: PeerState, method: string, params?: JsonObject): void {
  sendUnlessBehind(peer, { jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
}

/** Notifications and answers are dropped if the server does not read, so that they do not pile up. */
function sendUnlessBehind({ over, wire }: PeerState, message: JsonObject): void {
  if (over === undefined && wire.backlog() <= maxBacklogBytes) wire.send(`${JSON.stringify(message)}\n`)
}

function receive(peer: PeerState, message: unknown): void {
  if (!isJsonObject(message)) return
  const { id, method } = message
  if (method === undefined) {
    if (isRequestId(id)) settle(peer, id, answerIn(message))
  } else if (typeof method === 'string') {
    const params = isJsonObject(message.params) ? message.params : {}
    if (isRequestId(id)) peer.incoming.request(id, method, params)
    else if (id === undefined) receiveNotification(peer, method, params)
  }
}

function settle({ running }: PeerState, id: RequestId, answer: RpcAnswer): void {
  // Answers to cancelled or unknown requests, and second answers, are ignored.
  const found = typeof id === 'number' ? running.get(id) : undefined
  if (found === undefined) return
  running.delete(id as number)
  found.onAnswer(answer)
}

function receiveNotification({ incoming }: PeerState, method: string, params: JsonObject): void {
  try {
    incoming.notification(method, params)
  } catch {
    // A listener that throws must not let a server bring us down.
  }
}

function end(peer: PeerState, lost: ConnectionLost): void {
  if (peer.over !== undefined) return
  peer.over = lost
  const unanswered = [...peer.running.values()]
  peer.running.clear()
  const { message, lastLine } = lost
  for (const { onAnswer } of unanswered) {
    onAnswer({ error: new ConnectionLost(message, { sent: true, lastLine }) })
  }
}

function answerIn({ result, error }: JsonObject): RpcAnswer {
  if (error === undefined) return isJsonObject(result) ? { result } : unreadableAnswer('it is not an object')
  const { code, message, data } = isJsonObject(error) ? error : {}
  return {
    error: new ServerError({
      code: Number.isSafeInteger(code) ? (code as number) : rpcErrors.internal,
      message: typeof message === 'string' ? message : 'the server gave no reason',
      data,
    }),
  }
}

function unreadableAnswer(why: string): RpcAnswer {
  return {
    error: new ServerError({ code: rpcErrors.internal, message: `the answer cannot be read: ${why}` }),
  }
}
