/** Stores the outcome of a delivery attempt: delivered, retried later, given up, or the webhook is disabled. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import type { Log } from '../../platform/log.ts'
import { pauseAfter } from './backoff.ts'
import type { DeliveryOutcome } from './deliver.ts'
import type { Delivery, DeliveryQueue } from './delivery-queue.ts'
import type { WebhookBook } from './webhook-book.ts'

export interface DropReport {
  readonly log: Log
  /** Records an audit event. */
  readonly onEvent: (name: string, details: JsonObject) => void
}

export interface SettleOptions extends DropReport {
  readonly book: WebhookBook
  readonly queue: DeliveryQueue
  readonly maxAttempts: number
  readonly clock: Clock
  readonly random: () => number
  readonly onAttempt?: (result: 'delivered' | 'failed') => void
}

export function settleDelivery(delivery: Delivery, outcome: DeliveryOutcome, options: SettleOptions): void {
  const { book, queue, onEvent, onAttempt } = options
  const { id, webhook } = delivery
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
    case 'failed':
      onAttempt?.('failed')
      return retryOrGiveUp(delivery, outcome, options)
  }
}

function retryOrGiveUp(
  { id, webhook, event, attempts: earlier }: Delivery,
  { problem, retryAfter }: { readonly problem: string; readonly retryAfter?: string },
  options: SettleOptions,
): void {
  const { queue, maxAttempts, clock, random } = options
  const attempts = earlier + 1
  if (attempts >= maxAttempts) {
    queue.bury(id, problem)
    return reportDropped(webhook, { delivery: id, event, attempts, count: 1, problem }, options)
  }
  const now = clock()
  queue.postpone(id, problem, now + pauseAfter({ attempts, retryAfter }, { now, random }))
}

export function reportDropped(webhook: string, details: JsonObject, { log, onEvent }: DropReport): void {
  log('warn', 'events for a webhook were dropped', { webhook, ...details })
  onEvent('webhook-given-up', { webhook, ...details })
}
