/**
 * Moves events from the audit log to the queue. The queued events and the position are written in one transaction,
 * so that none is lost or sent twice.
 */

import type { Store } from '../../platform/storage/store.ts'
import { newestRecorded, recordedIn, recordFurtherOn } from '../../stages/audit/recorded.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { happeningsOf } from './events.ts'
import type { Webhook, WebhookBook } from './webhook-book.ts'

export interface Collected {
  /** More may follow. */
  readonly isFull: boolean
  /** Number of older events that were dropped. */
  readonly dropped: number
}

/** Small enough not to delay agents' calls: maximum records to examine, and to queue. */
const maxExamined = 5000
const batch = 200

export function collect(
  { id, events }: Webhook,
  { store, tenant, book, queue }: { store: Store; tenant: string; book: WebhookBook; queue: DeliveryQueue },
): Collected {
  const wanted: ReadonlySet<string> = new Set(events)
  return store.transaction(() => {
    // Read again in the transaction: it may have been removed or moved on.
    const current = book.find(id)
    if (current === undefined || current.disabled !== undefined) return { isFull: false, dropped: 0 }
    const after = current.seen
    const upTo = recordFurtherOn(store, after, maxExamined)
    const records = recordedIn(store, { tenant, after, upTo }, { which: 'telling', limit: batch })
    let queued = 0
    for (const record of records) {
      for (const { event, fields } of happeningsOf(record)) {
        if (!wanted.has(event)) continue
        queue.put(id, { event, at: record.time, fields })
        queued += 1
      }
    }
    const seen = records.length === batch ? records.at(-1)!.seq : upTo
    if (seen > after) book.moveOn(id, seen)
    // Once per batch, because counting the queue takes longer than adding to it.
    const dropped = queued === 0 ? 0 : queue.trim(id)
    return { isFull: seen < newestRecorded(store), dropped }
  })
}
