/** From the audit into the queue. What is queued and how far was looked are one write, so nothing is lost and nothing told twice. */

import type { Store } from '../../platform/storage/store.ts'
import { recordedAfter } from '../recorded.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { happeningsOf } from './events.ts'
import type { Webhook, WebhookBook } from './webhook-book.ts'

export interface Collected {
  /** There may be more. */
  readonly isFull: boolean
  /** Older ones that had to make room. */
  readonly dropped: number
}

/** Few enough that calls of agents do not wait for it. */
const batch = 500

export function collect(
  { id, events }: Webhook,
  { store, tenant, book, queue }: { store: Store; tenant: string; book: WebhookBook; queue: DeliveryQueue },
): Collected {
  const wanted: ReadonlySet<string> = new Set(events)
  return store.transaction(() => {
    // Read again under the lock: it may have been removed or moved on since.
    const current = book.find(id)
    if (current === undefined || current.disabled !== undefined) return { isFull: false, dropped: 0 }
    const records = recordedAfter(store, tenant, current.seen, batch)
    let queued = 0
    for (const record of records) {
      for (const { event, fields } of happeningsOf(record)) {
        if (!wanted.has(event)) continue
        queue.put(id, { event, at: record.time, fields })
        queued += 1
      }
    }
    const last = records.at(-1)
    if (last !== undefined) book.moveOn(id, last.seq)
    // Once for all of them: to count what waits takes longer than to put one more there.
    const dropped = queued === 0 ? 0 : queue.trim(id)
    return { isFull: records.length === batch, dropped }
  })
}
