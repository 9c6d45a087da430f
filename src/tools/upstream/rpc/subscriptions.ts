/** Changes that a server from 2026-07-28 on tells of: only what was asked for, by one request that stays open. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { ServerError, type Exchange } from '../connection.ts'
import type { RpcPeer } from './peer.ts'
import { metaKeys, rpcErrors } from './protocol.ts'

export interface ConnectionSubscriptions {
  /** Listens for the lists that the server says can change. */
  open(): void
  subscribe(uri: string): Promise<void>
  unsubscribe(uri: string): Promise<void>
  /** True for a notification that is about subscriptions themselves. */
  take(method: string, params: JsonObject): boolean
  end(): void
}

const lists = ['tools', 'prompts', 'resources'] as const
/** Before what the server ended is opened again. */
const reopenAfterMs = 5000

interface Opening {
  readonly id: number
  onAcknowledged(kept: readonly Json[]): void
}

export function createConnectionSubscriptions(
  peer: Pick<RpcPeer, 'post' | 'drop'>,
  capabilities: JsonObject,
  newExchange: () => Exchange,
): ConnectionSubscriptions {
  const listChanges: JsonObject = Object.fromEntries(
    lists
      .filter((list) => isJsonObject(capabilities[list]) && capabilities[list].listChanged === true)
      .map((list) => [`${list}ListChanged`, true]),
  )
  const uris = new Set<string>()
  let current: number | undefined
  let opening: Opening | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  /** One change after the other: each needs to know what the last one left open. */
  let queue: Promise<unknown> = Promise.resolve()

  const ended = (id: number): void => {
    if (current !== id || isOver) return
    current = undefined
    timer = setTimeout(open, reopenAfterMs)
    timer.unref()
  }

  /** Resolves with the resources that the server will tell of. */
  const begin = (wanted: JsonObject): Promise<readonly Json[]> => {
    const exchange = newExchange()
    const { signal } = exchange
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        signal.removeEventListener('abort', giveUp)
        opening = undefined
      }
      const giveUp = (): void => {
        finish()
        peer.drop(id)
        reject(signal.reason)
      }
      const id = peer.post('subscriptions/listen', { notifications: wanted }, exchange, (answer) => {
        if (opening?.id !== id) return ended(id)
        finish()
        reject('error' in answer ? answer.error : notAccepted('the subscription ended before it began'))
      })
      opening = {
        id,
        onAcknowledged(kept) {
          finish()
          // The new one is open before the old one ends, so that nothing is missed in between.
          if (current !== undefined) peer.drop(current)
          current = id
          resolve(kept)
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }
  const listen = async (): Promise<readonly Json[]> => {
    clearTimeout(timer)
    const wanted = { ...listChanges, ...(uris.size > 0 && { resourceSubscriptions: [...uris] }) }
    if (Object.keys(wanted).length > 0) return begin(wanted)
    if (current !== undefined) peer.drop(current)
    current = undefined
    return []
  }
  const change = (): Promise<readonly Json[]> => {
    const turn = queue.then(listen)
    queue = turn.catch(() => {})
    return turn
  }
  // A server that does not tell is one whose lists are looked at when they are needed.
  const open = (): void => void change().catch(() => {})

  return {
    open,
    async subscribe(uri) {
      if (uris.has(uri)) return
      uris.add(uri)
      try {
        const kept = await change()
        if (!kept.includes(uri)) throw notAccepted('the server does not tell of changes of this resource')
      } catch (error) {
        uris.delete(uri)
        throw error
      }
    },
    async unsubscribe(uri) {
      if (uris.delete(uri)) await change()
    },
    take(method, params) {
      if (method === 'notifications/subscriptions/acknowledged') {
        const { notifications } = params
        const kept = isJsonObject(notifications) ? notifications.resourceSubscriptions : undefined
        if (opening !== undefined && opening.id === subscriptionIn(params))
          opening.onAcknowledged(Array.isArray(kept) ? kept : [])
        return true
      }
      if (method !== 'notifications/cancelled') return false
      if (current !== undefined && params.requestId === current) {
        peer.drop(current)
        ended(current)
      }
      return true
    },
    end() {
      isOver = true
      clearTimeout(timer)
    },
  }
}

function subscriptionIn({ _meta }: JsonObject): Json | undefined {
  return isJsonObject(_meta) ? _meta[metaKeys.subscriptionId] : undefined
}

function notAccepted(message: string): ServerError {
  return new ServerError({ code: rpcErrors.internal, message })
}
