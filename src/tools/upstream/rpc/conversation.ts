/** The MCP protocol, independent of the transport. */

import { logLevels, type LogLevel } from '../../../core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { RequestId } from '../../../platform/message-json.ts'
import { ConnectionLost, type Connection, type ConnectOptions, type Exchange } from '../connection.ts'
import type { UpstreamServer } from '../server.ts'
import { shakeHands, type Introduction } from './handshake.ts'
import { createPeer, type Wire } from './peer.ts'
import { createQuestions } from './questions.ts'
import { createConnectionSubscriptions, type ConnectionSubscriptions } from './subscriptions.ts'

export interface Conversation extends Pick<Connection, 'request' | 'subscribe' | 'unsubscribe'> {
  begin(protocol: UpstreamServer['protocol']): Promise<Introduction>
  receive(message: unknown): void
  /** Fails a request whose answer cannot be read. */
  onUnreadable(id: RequestId, why: string): void
  end(lost: ConnectionLost): void
}

/** Timeout of requests that belong to no call. */
const ownTimeoutMs = 30_000

const changedLists = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
] as const)

export function createConversation(wire: Wire, onNotice: ConnectOptions['onNotice']): Conversation {
  /** The rank of the log level set on the server; undefined if it cannot be set. */
  let logRank: number | undefined = logLevels.length
  let subscriptions: ConnectionSubscriptions | undefined

  const notification = (method: string, params: JsonObject): void => {
    switch (method) {
      case 'notifications/progress':
        return reportProgress(peer.exchangeOf(params.progressToken), params)
      case 'notifications/message':
        return reportLog(peer.running(), params)
      case 'notifications/resources/updated':
        if (typeof params.uri === 'string') onNotice({ kind: 'resource', uri: params.uri })
        return
      default: {
        const list = changedLists.get(method as never)
        if (list !== undefined) return onNotice({ kind: 'list', list })
        if (subscriptions?.handle(method, params) === true) return
        if (method === 'notifications/cancelled') questions.withdraw(params.requestId)
      }
    }
  }
  const peer = createPeer(wire, {
    request: (id, method, params) => questions.accept(id, method, params),
    notification,
  })
  const questions = createQuestions(peer)
  const ownExchange = (): Exchange => ({ signal: AbortSignal.timeout(ownTimeoutMs), asks: [] })

  /** Up to 2025-11-25 a server has one level for all requests; each request filters what it gets. */
  const lowerLogLevel = (level: LogLevel): void => {
    const wanted = logLevels.indexOf(level)
    if (logRank === undefined || wanted >= logRank) return
    logRank = wanted
    peer.post('logging/setLevel', { level }, ownExchange(), () => {})
  }

  return {
    async begin(protocol) {
      // The handshake cannot be cancelled: cancelling the start ends the whole connection.
      const never: Exchange = { signal: new AbortController().signal, asks: [] }
      const introduction = await shakeHands(peer, protocol, never)
      const { era, capabilities } = introduction
      if (era === 'modern' || !isJsonObject(capabilities.logging)) logRank = undefined
      if (era === 'modern') {
        subscriptions = createConnectionSubscriptions(peer, capabilities, ownExchange)
        subscriptions.open()
      }
      return introduction
    },
    request(method, params, exchange) {
      if (exchange.logLevel !== undefined && exchange.onLog !== undefined) lowerLogLevel(exchange.logLevel)
      return peer.request(method, params, exchange)
    },
    async subscribe(uri) {
      if (subscriptions !== undefined) return subscriptions.subscribe(uri)
      await peer.request('resources/subscribe', { uri }, ownExchange())
    },
    async unsubscribe(uri) {
      if (subscriptions !== undefined) return subscriptions.unsubscribe(uri)
      await peer.request('resources/unsubscribe', { uri }, ownExchange())
    },
    receive: peer.receive,
    onUnreadable: peer.onUnreadable,
    end(lost) {
      subscriptions?.end()
      peer.end(lost)
    },
  }
}

function reportProgress(exchange: Exchange | undefined, { progress, total, message }: JsonObject): void {
  if (exchange?.onProgress === undefined || typeof progress !== 'number') return
  exchange.onProgress({
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  })
}

/** Log messages name no request, so every interested request gets them. */
function reportLog(running: Iterable<Exchange>, { level, data, logger }: JsonObject): void {
  const rank = logLevels.indexOf(level as LogLevel)
  if (rank < 0) return
  const message: Json = data ?? null
  for (const { onLog, logLevel } of running) {
    if (onLog === undefined || logLevel === undefined || rank < logLevels.indexOf(logLevel)) continue
    onLog(level as LogLevel, message, typeof logger === 'string' ? logger : undefined)
  }
}
