/** The protocol above the wire: what a `Connection` does, whatever carries its messages. */

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
  /** An answer that cannot be read. */
  onUnreadable(id: RequestId, why: string): void
  end(lost: ConnectionLost): void
}

/** For what we ask on our own account. */
const ownPatienceMs = 30_000

const changedLists = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
] as const)

export function createConversation(wire: Wire, onNotice: ConnectOptions['onNotice']): Conversation {
  /** The level that was last set, as a number; undefined where none can be set. */
  let logsFrom: number | undefined = logLevels.length
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
  const ownExchange = (): Exchange => ({ signal: AbortSignal.timeout(ownPatienceMs), asks: [] })

  /** A server up to 2025-11-25 has one level for all; who wants less leaves out the rest. */
  const lowerLogLevel = (level: LogLevel): void => {
    const wanted = logLevels.indexOf(level)
    if (logsFrom === undefined || wanted >= logsFrom) return
    logsFrom = wanted
    peer.post('logging/setLevel', { level }, ownExchange(), () => {})
  }

  return {
    async begin(protocol) {
      // Whoever gives the start up ends all of it: an opening is not to be cancelled.
      const never: Exchange = { signal: new AbortController().signal, asks: [] }
      const introduction = await shakeHands(peer, protocol, never)
      const { era, capabilities } = introduction
      if (era === 'modern' || !isJsonObject(capabilities.logging)) logsFrom = undefined
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

/** Messages do not say which request they belong to, so each that wants to hear them does. */
function reportLog(running: Iterable<Exchange>, { level, data, logger }: JsonObject): void {
  const rank = logLevels.indexOf(level as LogLevel)
  if (rank < 0) return
  const message: Json = data ?? null
  for (const { onLog, logLevel } of running) {
    if (onLog === undefined || logLevel === undefined || rank < logLevels.indexOf(logLevel)) continue
    onLog(level as LogLevel, message, typeof logger === 'string' ? logger : undefined)
  }
}
