/** Batches records that are requested in the same tick into one write. */

import type { ChainLink } from './chain.ts'
import type { ChainWriter } from './chain-writer.ts'
import type { NewRecord } from './record.ts'

/** A record to be written, with its promise. */
interface PendingRecord {
  readonly record: NewRecord
  readonly resolve: (link: ChainLink) => void
  readonly reject: (error: unknown) => void
}

/** Returns a function that queues a record. */
export function batchAppends({
  append,
  appendAll,
}: Pick<ChainWriter, 'append' | 'appendAll'>): (record: NewRecord) => Promise<ChainLink> {
  let pending: PendingRecord[] = []
  /** Like `queueMicrotask`, but without an async context per call. */
  const resolved = Promise.resolve()

  const writePending = (): void => {
    const batch = pending
    pending = []
    const links = batch.length > 1 ? appendAll(batch.map(({ record }) => record)) : undefined
    for (const [index, { record, resolve, reject }] of batch.entries()) {
      try {
        resolve(links?.[index] ?? append(record))
      } catch (error) {
        reject(error)
      }
    }
  }

  return (record) =>
    new Promise((resolve, reject) => {
      if (pending.push({ record, resolve, reject }) === 1) void resolved.then(writePending)
    })
}
