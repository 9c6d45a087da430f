/** Change notifications since 2026-07-28: the server sends only those listed in a request that stays open. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { ServerError, type Exchange } from '../connection.ts'
import type { RpcAnswer, RpcPeer } from './peer.ts'
import { metaKeys, rpcErrors } from './protocol.ts'

export interface ConnectionSubscriptions {
  /** Subscribes to changes of the lists that can change, according to the server. */
  open(): void
  subscribe(uri: string): Promise<void>
  unsubscribe(uri: string): Promise<void>
  /** Returns true for a notification about subscriptions themselves. */
  handle(method: string, params: JsonObject): boolean
  end(): void
}

const lists = ['tools', 'prompts', 'resources'] as const
/** Delay before a subscription that the server ended is opened again. */
const reopenAfterMs = 5000

interface Opening {
  readonly id: number
  onAcknowledged(accepted: readonly Json[]): void
}

interface State {
  readonly peer: Pick<RpcPeer, 'post' | 'cancel'>
  readonly newExchange: () => Exchange
  readonly listChanges: JsonObject
  readonly uris: Set<string>
  /** The id of the request that is open. */
  current: number | undefined
  /** The request that is to replace it. */
  opening: Opening | undefined
  reopenTimer: NodeJS.Timeout | undefined
  isOver: boolean
  /** Changes run one after the other: each depends on what the last one left open. */
  queue: Promise<unknown>
}

export function createConnectionSubscriptions(
  peer: State['peer'],
  capabilities: JsonObject,
  newExchange: () => Exchange,
): ConnectionSubscriptions {
  const changeable = lists.filter(
    (list) => isJsonObject(capabilities[list]) && capabilities[list].listChanged === true,
  )
  const state: State = {
    peer,
    newExchange,
    listChanges: Object.fromEntries(changeable.map((list) => [`${list}ListChanged`, true])),
    uris: new Set(),
    current: undefined,
    opening: undefined,
    reopenTimer: undefined,
    isOver: false,
    queue: Promise.resolve(),
  }
  const { uris } = state
  return {
    open: () => reopen(state),
    async subscribe(uri) {
      if (uris.has(uri)) return
      uris.add(uri)
      try {
        const accepted = await update(state)
        if (!accepted.includes(uri)) {
          throw notAccepted('the server does not report changes of this resource')
        }
      } catch (error) {
        uris.delete(uri)
        throw error
      }
    },
    async unsubscribe(uri) {
      if (uris.delete(uri)) await update(state)
    },
    handle: (method, params) => handle(state, method, params),
    end() {
      state.isOver = true
      clearTimeout(state.reopenTimer)
    },
  }
}

/** Failures are ignored: without notifications, lists are read when they are needed. */
function reopen(state: State): void {
  update(state).catch(() => {})
}

/** Replaces the open request by one for what is wanted now. Resolves with the resources the server accepted. */
function update(state: State): Promise<readonly Json[]> {
  const updated = state.queue.then(() => listen(state))
  state.queue = updated.catch(() => {})
  return updated
}

async function listen(state: State): Promise<readonly Json[]> {
  const { peer, uris, listChanges, current } = state
  clearTimeout(state.reopenTimer)
  const wanted = { ...listChanges, ...(uris.size > 0 && { resourceSubscriptions: [...uris] }) }
  if (Object.keys(wanted).length > 0) return sendListen(state, wanted)
  if (current !== undefined) peer.cancel(current)
  state.current = undefined
  return []
}

function sendListen(state: State, notifications: JsonObject): Promise<readonly Json[]> {
  const { peer } = state
  const exchange = state.newExchange()
  const { signal } = exchange
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      signal.removeEventListener('abort', onAbort)
      state.opening = undefined
    }
    const onAbort = (): void => {
      finish()
      peer.cancel(id)
      reject(signal.reason)
    }
    const onAnswer = (answer: RpcAnswer): void => {
      if (state.opening?.id !== id) return onEnded(state, id)
      finish()
      reject('error' in answer ? answer.error : notAccepted('the subscription ended before it began'))
    }
    const id = peer.post('subscriptions/listen', { notifications }, exchange, onAnswer)
    state.opening = {
      id,
      onAcknowledged(accepted) {
        finish()
        // The new request is open before the old one ends, so that no change is missed.
        if (state.current !== undefined) peer.cancel(state.current)
        state.current = id
        resolve(accepted)
      },
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

function onEnded(state: State, id: number): void {
  if (state.current !== id || state.isOver) return
  state.current = undefined
  state.reopenTimer = setTimeout(() => reopen(state), reopenAfterMs)
  state.reopenTimer.unref()
}

function handle(state: State, method: string, params: JsonObject): boolean {
  const { opening, current } = state
  if (method === 'notifications/subscriptions/acknowledged') {
    const { notifications } = params
    const accepted = isJsonObject(notifications) ? notifications.resourceSubscriptions : undefined
    if (opening !== undefined && opening.id === subscriptionIn(params))
      opening.onAcknowledged(Array.isArray(accepted) ? accepted : [])
    return true
  }
  if (method !== 'notifications/cancelled') return false
  if (current !== undefined && params.requestId === current) {
    state.peer.cancel(current)
    onEnded(state, current)
  }
  return true
}

function subscriptionIn({ _meta }: JsonObject): Json | undefined {
  return isJsonObject(_meta) ? _meta[metaKeys.subscriptionId] : undefined
}

function notAccepted(message: string): ServerError {
  return new ServerError({ code: rpcErrors.internal, message })
}
