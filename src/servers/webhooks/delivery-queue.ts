/** Events to be delivered, in the store until they are: delivery continues after a crash. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import { countRows } from '../../platform/storage/count-rows.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { maxRequestedMs } from './backoff.ts'

export interface Delivery {
  /** The same for every attempt. */
  readonly id: string
  readonly webhook: string
  readonly event: string
  readonly body: string
  /** Number of attempts made. */
  readonly attempts: number
  readonly createdAt: number
  readonly problem?: string
  /** For a dead event: when it was given up. */
  readonly endedAt?: number
}

export interface DeliveryQueue {
  put(
    webhook: string,
    message: { readonly event: string; readonly at: number; readonly fields: JsonObject },
  ): void
  /** Drops a webhook's oldest events excess the limit. Returns how many. */
  trim(webhook: string): number
  /** The webhook's oldest waiting event, if it is due. */
  due(webhook: string): Delivery | undefined
  delivered(id: string): void
  /** To be retried at that time. */
  postpone(id: string, problem: string, nextAt: number): void
  bury(id: string, problem: string): void
  /** Gives up all of a webhook's waiting events. */
  buryAll(webhook: string, problem: string): number
  /** Newest first. */
  dead(limit?: number): Delivery[]
  /** Retries a dead event, resetting its attempts. Returns whether it exists. */
  revive(id: string): boolean
  counts(webhook?: string): { readonly waiting: number; readonly dead: number }
}

export interface QueueOptions {
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  readonly newId: () => string
  /** Maximum waiting events per webhook, and maximum dead ones kept. */
  readonly maxPerWebhook: number
}

const full = 'the queue was full'

export function createDeliveryQueue({
  store,
  tenant,
  clock,
  newId,
  maxPerWebhook,
}: QueueOptions): DeliveryQueue {
  const rows = store.rows('webhook_deliveries', { tenant })
  const countIn = (state: string, webhook?: string): number =>
    countRows(store, 'webhook_deliveries', tenant, { state, ...(webhook !== undefined && { webhook }) })
  /** Dead events are limited too: the oldest are still in the audit log. */
  const forgetOldest = (webhook: string): void => {
    const excess = countIn('dead', webhook) - maxPerWebhook
    if (excess <= 0) return
    for (const { seq } of rows.all({ webhook, state: 'dead' }, { orderBy: 'ended_at', limit: excess })) {
      rows.remove({ seq: Number(seq) })
    }
  }
  const end = (
    problem: string,
    where: { readonly id?: string; readonly webhook?: string; readonly seq?: number },
  ): number =>
    rows.update({ state: 'dead', last_problem: problem, ended_at: clock() }, { ...where, state: 'waiting' })

  return {
    put(webhook, { event, at, fields }) {
      const id = newId()
      const now = clock()
      const body = JSON.stringify({ id, event, at: new Date(at).toISOString(), ...fields })
      rows.insert({
        id,
        webhook,
        event,
        body,
        state: 'waiting',
        attempts: 0,
        next_at: now,
        last_problem: null,
        created_at: now,
        ended_at: null,
      })
    },
    trim(webhook) {
      const excess = countIn('waiting', webhook) - maxPerWebhook
      if (excess <= 0) return 0
      const oldest = rows.all({ webhook, state: 'waiting' }, { orderBy: 'seq', limit: excess })
      for (const { seq } of oldest) end(full, { seq: Number(seq) })
      forgetOldest(webhook)
      return oldest.length
    },
    due(webhook) {
      const now = clock()
      const waiting = { webhook, state: 'waiting' } as const
      // No pause is longer than that: a later time was set by a wrong clock.
      const row =
        rows.first({ ...waiting, next_at: { atMost: now } }, { orderBy: 'next_at' }) ??
        rows.first({ ...waiting, next_at: { atLeast: now + maxRequestedMs + 1 } }, { orderBy: 'seq' })
      return row && toDelivery(row)
    },
    delivered: (id) => void rows.remove({ id, state: 'waiting' }),
    postpone(id, problem, nextAt) {
      const attempts = Number(rows.first({ id })?.attempts ?? 0) + 1
      rows.update({ attempts, last_problem: problem, next_at: nextAt }, { id, state: 'waiting' })
    },
    bury(id, problem) {
      const row = rows.first({ id, state: 'waiting' })
      if (row === undefined) return
      rows.update({ attempts: Number(row.attempts) + 1 }, { id })
      end(problem, { id })
      forgetOldest(String(row.webhook))
    },
    buryAll(webhook, problem) {
      const buried = end(problem, { webhook })
      forgetOldest(webhook)
      return buried
    },
    dead: (limit) =>
      rows
        .all(
          { state: 'dead' },
          { orderBy: 'ended_at', descending: true, ...(limit !== undefined && { limit }) },
        )
        .map(toDelivery),
    revive: (id) =>
      rows.update(
        { state: 'waiting', attempts: 0, next_at: clock(), ended_at: null },
        { id, state: 'dead' },
      ) > 0,
    counts: (webhook) => ({ waiting: countIn('waiting', webhook), dead: countIn('dead', webhook) }),
  }
}

function toDelivery(row: SqlRow): Delivery {
  return {
    id: String(row.id),
    webhook: String(row.webhook),
    event: String(row.event),
    body: String(row.body),
    attempts: Number(row.attempts),
    createdAt: Number(row.created_at),
    ...(row.last_problem !== null && { problem: String(row.last_problem) }),
    ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
  }
}
