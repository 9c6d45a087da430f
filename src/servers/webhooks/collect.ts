/** From the audit into the queue. What is queued and how far was looked are one write, so nothing is lost and nothing told twice. */

import type { Store } from '../../platform/storage/store.ts'
import { newestRecorded, recordedIn, recordFurtherOn } from '../../stages/audit/recorded.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { happeningsOf } from './events.ts'
import type { Webhook, WebhookBook } from './webhook-book.ts'

export interface Collected {
  /** There may be more. */
  readonly isFull: boolean
  /** Older ones that had to make room. */
  readonly dropped: number
}

/** Few enough that calls of agents do not wait for it: records to look through, and of those the ones to tell. */
const maxExamined = 5000
const batch = 200

export function collect(
  { id, events }: Webhook,
  { store, tenant, book, queue }: { store: Store; tenant: string; book: WebhookBook; queue: DeliveryQueue },
): Collected {
  const wanted: ReadonlySet<string> = new Set(events)
  return store.transaction(() => {
    // Read again under the lock: it may have been removed or moved on since.
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
    // Once for all of them: to count what waits takes longer than to put one more there.
    const dropped = queued === 0 ? 0 : queue.trim(id)
    return { isFull: seen < newestRecorded(store), dropped }
  })
}
