/** The registered webhooks. URLs and signing secrets are encrypted, because a URL may be a credential itself. */

import { join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { loadOrCreateKey, readKey } from '../../platform/secrets/keys.ts'
import { seal, unseal } from '../../platform/secrets/sealing.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { newestRecorded } from '../../stages/audit/recorded.ts'
import { readEndpoint } from './endpoint.ts'
import { isWebhookEvent, type WebhookEvent } from './events.ts'

export interface Webhook {
  readonly id: string
  /** For display: without path and query. */
  readonly origin: string
  readonly events: readonly WebhookEvent[]
  readonly createdAt: number
  /** Sequence number of the last record processed for it. */
  readonly seen: number
  readonly disabled?: { readonly at: number; readonly why: string }
}

/** The encrypted part. */
export interface WebhookTarget {
  readonly url: string
  readonly secret: string
}

export interface WebhookBook {
  /** In the order they were added. */
  list(): Webhook[]
  find(id: string): Webhook | undefined
  /** Receives future events only. Throws WEBHOOK_REFUSED. */
  add(url: string, events: readonly WebhookEvent[]): { readonly webhook: Webhook; readonly secret: string }
  /** Also removes everything that waits for it. */
  remove(id: string): boolean
  /** Throws if the key is missing or the row was changed. */
  targetOf(id: string): WebhookTarget
  disable(id: string, why: string): void
  /** Called in the transaction that queues the events. */
  moveOn(id: string, seen: number): void
}

export interface WebhookBookOptions {
  readonly store: Store
  readonly tenant: string
  readonly keysDir: string
  readonly clock: Clock
  readonly randomBytes: (size: number) => Buffer
}

const nonceBytes = 12

export function createWebhookBook(options: WebhookBookOptions): WebhookBook {
  const { store, tenant, keysDir, clock, randomBytes } = options
  const rows = store.rows('webhooks', { tenant })
  const deliveries = store.rows('webhook_deliveries', { tenant })
  const keyFile = join(keysDir, 'webhooks.key')
  const placeOf = (id: string): string[] => ['webhooks', tenant, id]
  const find = (id: string): Webhook | undefined => {
    const row = rows.first({ id })
    return row && toWebhook(row)
  }
  return {
    list: () => rows.all({}, { orderBy: 'created_at' }).map(toWebhook),
    find,
    add(url, events) {
      const target = readEndpoint(url)
      if (typeof target === 'string') throw new ContextdError('WEBHOOK_REFUSED', { problem: target })
      const id = randomBytes(6).toString('hex')
      const secret = `whsec_${randomBytes(32).toString('base64url')}`
      const endpoint: WebhookTarget = { url: target.url, secret }
      const { nonce, body } = seal(
        loadOrCreateKey(keyFile),
        Buffer.from(JSON.stringify(endpoint)),
        placeOf(id),
      )
      rows.insert({
        id,
        url: new URL(target.url).origin,
        events: JSON.stringify(events),
        secret: Buffer.concat([nonce, body]),
        created_at: clock(),
        seen: newestRecorded(store),
        disabled_at: null,
        disabled_why: null,
      })
      return { webhook: find(id)!, secret }
    },
    remove: (id) =>
      store.transaction(() => {
        deliveries.remove({ webhook: id })
        return rows.remove({ id }) > 0
      }),
    targetOf(id) {
      const sealed = rows.first({ id })?.secret
      const key = readKey(keyFile)
      if (key === undefined || !(sealed instanceof Uint8Array)) throw new Error('its secret is not available')
      const parts = { nonce: sealed.subarray(0, nonceBytes), body: sealed.subarray(nonceBytes) }
      return JSON.parse(unseal(key, parts, placeOf(id)).toString()) as WebhookTarget
    },
    disable: (id, why) =>
      void rows.update({ disabled_at: clock(), disabled_why: why }, { id, disabled_at: null }),
    moveOn: (id, seen) => void rows.update({ seen }, { id }),
  }
}

function toWebhook(row: SqlRow): Webhook {
  const events: unknown = JSON.parse(String(row.events))
  return {
    id: String(row.id),
    origin: String(row.url),
    events: Array.isArray(events) ? events.map(String).filter(isWebhookEvent) : [],
    createdAt: Number(row.created_at),
    seen: Number(row.seen),
    ...(row.disabled_at !== null && {
      disabled: { at: Number(row.disabled_at), why: String(row.disabled_why ?? '') },
    }),
  }
}
