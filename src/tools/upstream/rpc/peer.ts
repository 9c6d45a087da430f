/** JSON-RPC with one server: requests that run, each with its answer. The path of every call, so it does little. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { RequestId } from '../../../platform/message-json.ts'
import { ConnectionLost, ServerError, type Exchange } from '../connection.ts'
import { legacyParams, type DecorateParams } from './params.ts'
import { rpcErrors } from './protocol.ts'

export interface Wire {
  send(text: string): void
  /** Bytes that wait because the server does not read. */
  backlog(): number
}

export interface Incoming {
  /** Requests of the server. */
  request(id: RequestId, method: string, params: JsonObject): void
  notification(method: string, params: JsonObject): void
}

export interface RpcPeer {
  request(method: string, params: JsonObject, exchange: Exchange): Promise<JsonObject>
  /** Without any of the care that `request` takes. Answers its id. */
  post(method: string, params: JsonObject, exchange: Exchange, onAnswer: (answer: RpcAnswer) => void): number
  /** Gives a request up, and tells the server. */
  drop(id: number): void
  notify(method: string, params?: JsonObject): void
  answer(id: RequestId, result: JsonObject): void
  refuse(id: RequestId, error: { code: number; message: string; data?: Json | undefined }): void
  receive(message: unknown): void
  /** An answer that cannot be read. */
  spoilt(id: RequestId, why: string): void
  /** What runs, oldest first. */
  running(): Iterable<Exchange>
  exchangeOf(id: Json | undefined): Exchange | undefined
  /** How requests are dressed from now on. */
  speak(decorate: DecorateParams): void
  /** Ends what runs; the first reason counts. */
  end(lost: ConnectionLost): void
}

export type RpcAnswer = { readonly result: JsonObject } | { readonly error: Error }

interface Running {
  readonly exchange: Exchange
  readonly onAnswer: (answer: RpcAnswer) => void
}

/** Of what we send; a server that is this far behind gets nothing more to do. */
const maxBacklogBytes = 8 << 20

export function createPeer(wire: Wire, incoming: Incoming): RpcPeer {
  const running = new Map<number, Running>()
  let nextId = 1
  let decorate: DecorateParams = legacyParams
  let over: ConnectionLost | undefined

  /** What a server gets unasked or because it asked is left out where it does not read: it must not pile up. */
  const sendIfRead = (message: JsonObject): void => {
    if (over === undefined && wire.backlog() <= maxBacklogBytes) wire.send(`${JSON.stringify(message)}\n`)
  }
  const notify: RpcPeer['notify'] = (method, params) =>
    sendIfRead({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })

  const post: RpcPeer['post'] = (method, params, exchange, onAnswer) => {
    const id = nextId++
    running.set(id, { exchange, onAnswer })
    wire.send(
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(decorate(params, exchange, id))}}\n`,
    )
    return id
  }

  const drop: RpcPeer['drop'] = (id) => {
    if (running.delete(id)) notify('notifications/cancelled', { requestId: id })
  }

  const whyNot = (signal: AbortSignal): unknown => {
    if (over !== undefined) return new ConnectionLost(over.message, { sent: false, lastLine: over.lastLine })
    if (signal.aborted) return signal.reason
    if (wire.backlog() > maxBacklogBytes) {
      return new ConnectionLost('the server does not read what it is sent', { sent: false })
    }
    return undefined
  }

  const request: RpcPeer['request'] = (method, params, exchange) => {
    const { signal } = exchange
    const why = whyNot(signal)
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever the caller aborted with
    if (why !== undefined) return Promise.reject(why)
    return new Promise((resolve, reject) => {
      const id = post(method, params, exchange, (answer) => {
        signal.removeEventListener('abort', giveUp)
        if ('result' in answer) resolve(answer.result)
        else reject(answer.error)
      })
      const giveUp = (): void => {
        drop(id)
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  const settle = (id: RequestId, answer: RpcAnswer): void => {
    // Answers nobody waits for: given up, given twice, or made up.
    const found = typeof id === 'number' ? running.get(id) : undefined
    if (found === undefined) return
    running.delete(id as number)
    found.onAnswer(answer)
  }

  const notice = (method: string, params: JsonObject): void => {
    try {
      incoming.notification(method, params)
    } catch {
      // Whoever listens has a problem of its own with it, and a server must not be able to bring us down by that.
    }
  }

  return {
    request,
    post,
    drop,
    notify,
    answer: (id, result) => sendIfRead({ jsonrpc: '2.0', id, result }),
    refuse: (id, { code, message, data }) =>
      sendIfRead({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }),
    receive(message) {
      if (!isJsonObject(message)) return
      const { id, method } = message
      if (method === undefined) {
        if (isId(id)) settle(id, answerIn(message))
      } else if (typeof method === 'string') {
        const params = isJsonObject(message.params) ? message.params : {}
        if (isId(id)) incoming.request(id, method, params)
        else if (id === undefined) notice(method, params)
      }
    },
    spoilt: (id, why) => settle(id, unreadable(why)),
    *running() {
      for (const { exchange } of running.values()) yield exchange
    },
    exchangeOf: (id) => (typeof id === 'number' ? running.get(id)?.exchange : undefined),
    speak(next) {
      decorate = next
    },
    end(lost) {
      if (over !== undefined) return
      over = lost
      const waiting = [...running.values()]
      running.clear()
      const { message, lastLine } = lost
      for (const { onAnswer } of waiting) {
        onAnswer({ error: new ConnectionLost(message, { sent: true, lastLine }) })
      }
    },
  }
}

function isId(id: Json | undefined): id is RequestId {
  return typeof id === 'number' || typeof id === 'string'
}

function answerIn({ result, error }: JsonObject): RpcAnswer {
  if (error === undefined) return isJsonObject(result) ? { result } : unreadable('it is no object')
  const { code, message, data } = isJsonObject(error) ? error : {}
  return {
    error: new ServerError({
      code: Number.isSafeInteger(code) ? (code as number) : rpcErrors.internal,
      message: typeof message === 'string' ? message : 'the server says no more',
      data,
    }),
  }
}

function unreadable(why: string): RpcAnswer {
  return {
    error: new ServerError({ code: rpcErrors.internal, message: `the answer cannot be read: ${why}` }),
  }
}
