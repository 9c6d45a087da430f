/** Delivers due events, independently for each webhook: a slow one does not delay others. Runs only in the daemon. */

import { setImmediate as breathe } from 'node:timers/promises'

import type { Store } from '../../platform/storage/store.ts'
import { newestRecorded } from '../../stages/audit/recorded.ts'
import { collect } from './collect.ts'
import { deliver, type DeliveryOutcome } from './deliver.ts'
import type { Delivery } from './delivery-queue.ts'
import type { Post } from './post.ts'
import { reportDropped, settleDelivery, type SettleOptions } from './settle-delivery.ts'
import type { Webhook } from './webhook-book.ts'

export interface CourierOptions extends SettleOptions {
  readonly store: Store
  readonly tenant: string
  readonly post: Post
}

export interface Courier {
  /** Queues new events and starts deliveries. Resolves to whether there are active webhooks; never rejects. */
  look(): Promise<boolean>
  /** Resolves when nothing is left to deliver now. */
  idle(): Promise<void>
  /** Cancels deliveries in progress; they are repeated after the next start. */
  close(): Promise<void>
}

export function createCourier(options: CourierOptions): Courier {
  const ending = new AbortController()
  const lanes = createLanes(options, ending.signal)

  const pollOnce = async (): Promise<boolean> => {
    try {
      const open = options.book.list().filter(({ disabled }) => disabled === undefined)
      const newest = newestRecorded(options.store)
      for (const webhook of open) {
        if (webhook.seen < newest) await queueNew(webhook, options, ending.signal)
        lanes.begin(webhook.id)
      }
      return open.length > 0
    } catch (error) {
      options.log('error', 'webhook events could not be queued', { cause: String(error) })
      return true
    }
  }
  let looking: Promise<boolean> | undefined

  return {
    look: () => (looking ??= pollOnce().finally(() => (looking = undefined))),
    idle: lanes.idle,
    async close() {
      ending.abort()
      await looking
      await lanes.idle()
    },
  }
}

async function queueNew(webhook: Webhook, options: CourierOptions, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { isFull, dropped } = collect(webhook, options)
    if (dropped > 0) reportDropped(webhook.id, { count: dropped, problem: 'the queue was full' }, options)
    if (!isFull || signal.aborted) return
    await breathe()
  }
}

/** Delivers the due events of each webhook, one after another. */
interface Lanes {
  /** Does nothing if the webhook's lane is running or paused. */
  begin(webhook: string): void
  idle(): Promise<void>
}

/**
 * The pause after a failed write. A delivered event that could not be removed from the queue is sent again, but not
 * endlessly.
 */
const failurePauseMs = 60_000

function createLanes(options: CourierOptions, signal: AbortSignal): Lanes {
  const { queue, clock, log } = options
  const running = new Map<string, Promise<void>>()
  /** Until when each webhook is paused because results cannot be stored. */
  const paused = new Map<string, number>()

  const deliverDue = async (webhook: string): Promise<void> => {
    try {
      for (;;) {
        const delivery = signal.aborted ? undefined : queue.due(webhook)
        if (delivery === undefined) return
        settleDelivery(delivery, await attempt(delivery, options, signal), options)
      }
    } catch (error) {
      paused.set(webhook, clock() + failurePauseMs)
      log('error', 'the result of a webhook delivery could not be stored', { webhook, cause: String(error) })
    } finally {
      running.delete(webhook)
    }
  }

  return {
    begin(webhook) {
      if (running.has(webhook) || signal.aborted || clock() < (paused.get(webhook) ?? 0)) return
      running.set(
        webhook,
        breathe().then(() => deliverDue(webhook)),
      )
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

async function attempt(
  delivery: Delivery,
  { book, post, clock }: CourierOptions,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  try {
    return await deliver(delivery, book.targetOf(delivery.webhook), { post, clock, signal })
  } catch {
    return { kind: 'failed', problem: 'its secret cannot be opened' }
  }
}
