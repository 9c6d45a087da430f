/** Sends what is due, to each address on its own: a slow one holds up nobody else. Runs in the daemon, and only there. */

import { setImmediate as breathe } from 'node:timers/promises'

import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import type { Log } from '../../platform/log.ts'
import type { Store } from '../../platform/storage/store.ts'
import { newestRecorded } from '../../stages/audit/recorded.ts'
import { pauseAfter } from './backoff.ts'
import { collect } from './collect.ts'
import { deliver, type DeliveryOutcome } from './deliver.ts'
import type { Delivery, DeliveryQueue } from './delivery-queue.ts'
import type { Post } from './post.ts'
import type { Webhook, WebhookBook } from './webhook-book.ts'

export interface CourierOptions {
  readonly store: Store
  readonly tenant: string
  readonly book: WebhookBook
  readonly queue: DeliveryQueue
  readonly post: Post
  readonly maxAttempts: number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  /** Into the audit. */
  readonly onEvent: (name: string, details: JsonObject) => void
  readonly onAttempt?: (result: 'delivered' | 'failed') => void
}

export interface Courier {
  /** Queues what happened and begins to send what is due. Answers whether there is anybody to tell; never rejects. */
  look(): Promise<boolean>
  /** Resolves when nothing is left that could be sent now. */
  idle(): Promise<void>
  /** Gives up what is on its way: it is sent again after the next start. */
  close(): Promise<void>
}

/** After a write that failed. What was taken and could not be crossed off is sent again, but not without an end. */
const failurePauseMs = 60_000

export function createCourier(options: CourierOptions): Courier {
  const { store, book, queue, post, maxAttempts, clock, random, log, onEvent, onAttempt } = options
  const ending = new AbortController()
  const lanes = new Map<string, Promise<void>>()

  const gather = async (webhook: Webhook, newest: number): Promise<void> => {
    if (webhook.seen >= newest) return
    for (;;) {
      const { isFull, dropped } = collect(webhook, options)
      if (dropped > 0) giveUp(webhook.id, { count: dropped, problem: 'the queue was full' })
      if (!isFull || ending.signal.aborted) return
      await breathe()
    }
  }

  const giveUp = (webhook: string, details: JsonObject): void => {
    log('warn', 'events for a webhook were given up', { webhook, ...details })
    onEvent('webhook-given-up', { webhook, ...details })
  }

  const settle = ({ id, webhook, event, attempts }: Delivery, outcome: DeliveryOutcome): void => {
    switch (outcome.kind) {
      case 'cancelled':
        return
      case 'taken':
        onAttempt?.('delivered')
        return queue.delivered(id)
      case 'gone': {
        onAttempt?.('failed')
        book.disable(webhook, outcome.problem)
        queue.bury(id, outcome.problem)
        const count = 1 + queue.buryAll(webhook, outcome.problem)
        onEvent('webhook-disabled', { webhook, problem: outcome.problem, count })
        return
      }
      case 'failed': {
        onAttempt?.('failed')
        const made = attempts + 1
        if (made >= maxAttempts) {
          queue.bury(id, outcome.problem)
          return giveUp(webhook, { delivery: id, event, attempts: made, count: 1, problem: outcome.problem })
        }
        const now = clock()
        const pause = pauseAfter({ attempts: made, retryAfter: outcome.retryAfter }, { now, random })
        return queue.postpone(id, outcome.problem, now + pause)
      }
    }
  }

  const attempt = async (delivery: Delivery): Promise<void> => {
    let outcome: DeliveryOutcome
    try {
      outcome = await deliver(delivery, book.targetOf(delivery.webhook), {
        post,
        clock,
        signal: ending.signal,
      })
    } catch {
      outcome = { kind: 'failed', problem: 'its secret cannot be opened' }
    }
    settle(delivery, outcome)
  }

  /** By address, until when nothing is sent because the store does not take what comes of it. */
  const paused = new Map<string, number>()

  const walk = async (webhook: string): Promise<void> => {
    try {
      for (;;) {
        const delivery = ending.signal.aborted ? undefined : queue.due(webhook)
        if (delivery === undefined) return
        await attempt(delivery)
      }
    } catch (error) {
      paused.set(webhook, clock() + failurePauseMs)
      log('error', 'what came of a webhook could not be kept', { webhook, cause: String(error) })
    } finally {
      lanes.delete(webhook)
    }
  }

  const begin = (webhook: string): void => {
    if (lanes.has(webhook) || ending.signal.aborted || clock() < (paused.get(webhook) ?? 0)) return
    lanes.set(
      webhook,
      breathe().then(() => walk(webhook)),
    )
  }

  const pollOnce = async (): Promise<boolean> => {
    try {
      const open = book.list().filter(({ disabled }) => disabled === undefined)
      const newest = newestRecorded(store)
      for (const webhook of open) {
        await gather(webhook, newest)
        begin(webhook.id)
      }
      return open.length > 0
    } catch (error) {
      log('error', 'webhooks could not be told', { cause: String(error) })
      return true
    }
  }
  let looking: Promise<boolean> | undefined

  return {
    look: () => (looking ??= pollOnce().finally(() => (looking = undefined))),
    async idle() {
      while (lanes.size > 0) await Promise.all(lanes.values())
    },
    async close() {
      ending.abort()
      await looking
      await Promise.all(lanes.values())
    },
  }
}
