/** What is to be told, in the store until it is: whoever is killed in the middle goes on after the next start. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import { countRows } from '../../platform/storage/count-rows.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { maxRequestedMs } from './backoff.ts'

export interface Delivery {
  /** The same however often it is sent. */
  readonly id: string
  readonly webhook: string
  readonly event: string
  readonly body: string
  /** That were made. */
  readonly attempts: number
  readonly createdAt: number
  readonly problem?: string
  /** Of a dead one: when it was given up. */
  readonly endedAt?: number
}

export interface DeliveryQueue {
  put(
    webhook: string,
    message: { readonly event: string; readonly at: number; readonly fields: JsonObject },
  ): void
  /** Gives up the oldest of this address beyond those that may wait. Answers how many. */
  trim(webhook: string): number
  /** The one of this address that waits longest, if it is its time. */
  due(webhook: string): Delivery | undefined
  delivered(id: string): void
  /** To be tried again at that time. */
  postpone(id: string, problem: string, nextAt: number): void
  bury(id: string, problem: string): void
  /** Everything that waits for this address. */
  buryAll(webhook: string, problem: string): number
  /** Newest first. */
  dead(limit?: number): Delivery[]
  /** Lets a dead one wait again, with all its attempts before it. Answers whether there is one. */
  revive(id: string): boolean
  counts(webhook?: string): { readonly waiting: number; readonly dead: number }
}

export interface QueueOptions {
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  readonly newId: () => string
  /** That may wait for one address, and of its dead ones that are kept. */
  readonly most: number
}

const full = 'the queue was full'

export function createDeliveryQueue({ store, tenant, clock, newId, most }: QueueOptions): DeliveryQueue {
  const rows = store.rows('webhook_deliveries', { tenant })
  const countIn = (state: string, webhook?: string): number =>
    countRows(store, 'webhook_deliveries', tenant, { state, ...(webhook !== undefined && { webhook }) })
  /** The dead ones have a limit too: the oldest are in the audit all the same. */
  const forgetOldest = (webhook: string): void => {
    const beyond = countIn('dead', webhook) - most
    if (beyond <= 0) return
    for (const { seq } of rows.all({ webhook, state: 'dead' }, { orderBy: 'ended_at', limit: beyond })) {
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
      const beyond = countIn('waiting', webhook) - most
      if (beyond <= 0) return 0
      const oldest = rows.all({ webhook, state: 'waiting' }, { orderBy: 'seq', limit: beyond })
      for (const { seq } of oldest) end(full, { seq: Number(seq) })
      forgetOldest(webhook)
      return oldest.length
    },
    due(webhook) {
      const now = clock()
      const waiting = { webhook, state: 'waiting' } as const
      // Nobody waits longer than that: a time further ahead was set by a clock that went wrong.
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
