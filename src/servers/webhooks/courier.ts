/** Delivers due events, independently for each webhook: a slow one does not delay others. Runs only in the daemon. */

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
  /** Records an audit event. */
  readonly onEvent: (name: string, details: JsonObject) => void
  readonly onAttempt?: (result: 'delivered' | 'failed') => void
}

export interface Courier {
  /** Queues new events and starts deliveries. Resolves to whether there are active webhooks; never rejects. */
  look(): Promise<boolean>
  /** Resolves when nothing is left to deliver now. */
  idle(): Promise<void>
  /** Cancels deliveries in progress; they are repeated after the next start. */
  close(): Promise<void>
}

/**
 * The pause after a failed write. A delivered event that could not be removed from the queue is sent again, but not
 * endlessly.
 */
const failurePauseMs = 60_000

export function createCourier(options: CourierOptions): Courier {
  const { store, book, queue, post, maxAttempts, clock, random, log, onEvent, onAttempt } = options
  const ending = new AbortController()
  const lanes = new Map<string, Promise<void>>()

  const queueNew = async (webhook: Webhook, newest: number): Promise<void> => {
    if (webhook.seen >= newest) return
    for (;;) {
      const { isFull, dropped } = collect(webhook, options)
      if (dropped > 0) reportDropped(webhook.id, { count: dropped, problem: 'the queue was full' })
      if (!isFull || ending.signal.aborted) return
      await breathe()
    }
  }

  const reportDropped = (webhook: string, details: JsonObject): void => {
    log('warn', 'events for a webhook were dropped', { webhook, ...details })
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
        const attemptCount = attempts + 1
        if (attemptCount >= maxAttempts) {
          queue.bury(id, outcome.problem)
          return reportDropped(webhook, {
            delivery: id,
            event,
            attempts: attemptCount,
            count: 1,
            problem: outcome.problem,
          })
        }
        const now = clock()
        const pause = pauseAfter({ attempts: attemptCount, retryAfter: outcome.retryAfter }, { now, random })
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

  /** Until when each webhook is paused because results cannot be stored. */
  const paused = new Map<string, number>()

  const deliverDue = async (webhook: string): Promise<void> => {
    try {
      for (;;) {
        const delivery = ending.signal.aborted ? undefined : queue.due(webhook)
        if (delivery === undefined) return
        await attempt(delivery)
      }
    } catch (error) {
      paused.set(webhook, clock() + failurePauseMs)
      log('error', 'the result of a webhook delivery could not be stored', { webhook, cause: String(error) })
    } finally {
      lanes.delete(webhook)
    }
  }

  const begin = (webhook: string): void => {
    if (lanes.has(webhook) || ending.signal.aborted || clock() < (paused.get(webhook) ?? 0)) return
    lanes.set(
      webhook,
      breathe().then(() => deliverDue(webhook)),
    )
  }

  const pollOnce = async (): Promise<boolean> => {
    try {
      const open = book.list().filter(({ disabled }) => disabled === undefined)
      const newest = newestRecorded(store)
      for (const webhook of open) {
        await queueNew(webhook, newest)
        begin(webhook.id)
      }
      return open.length > 0
    } catch (error) {
      log('error', 'webhook events could not be queued', { cause: String(error) })
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
