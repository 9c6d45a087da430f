/** Opens the webhooks of a store: for the daemon, which delivers, and for the commands. */

import { randomBytes, randomUUID } from 'node:crypto'

import { LOCAL_TENANT } from '../../core/call.ts'
import type { Config } from '../../platform/config/config-schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Runtime } from '../../compose.ts'
import { createCourier, type CourierOptions } from './courier.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { createPost } from './post.ts'
import { createWebhookBook, type WebhookBook } from './webhook-book.ts'

export interface Webhooks {
  readonly book: WebhookBook
  readonly queue: DeliveryQueue
}

export function openWebhooks(
  store: Store,
  { keysDir, maxPerWebhook }: { readonly keysDir: string; readonly maxPerWebhook: number },
): Webhooks {
  const parts = { store, tenant: LOCAL_TENANT, clock: Date.now }
  return {
    book: createWebhookBook({ ...parts, keysDir, randomBytes }),
    queue: createDeliveryQueue({ ...parts, newId: randomUUID, maxPerWebhook }),
  }
}

export interface Sending {
  /** Cancels deliveries in progress, and resolves when they have ended. */
  close(): Promise<void>
}

/** Delay for finding records of other processes, and added webhooks. */
const pollMs = 1000
/** Events that occur together are sent together. */
const batchMs = 50

/** Delivers events in the background until it is closed. */
export function startWebhooks(
  runtime: Pick<Runtime, 'store' | 'paths' | 'audit' | 'log'> & { readonly config: Pick<Config, 'webhooks'> },
  options: Pick<CourierOptions, 'onAttempt'> = {},
): Sending {
  const { store, paths, audit, log } = runtime
  const { max_attempts: maxAttempts, timeout_ms: timeoutMs, queue: maxPerWebhook } = runtime.config.webhooks
  const { book, queue } = openWebhooks(store, { keysDir: paths.keys, maxPerWebhook })
  const courier = createCourier({
    store,
    tenant: LOCAL_TENANT,
    book,
    queue,
    post: createPost({ timeoutMs }),
    maxAttempts,
    clock: Date.now,
    random: Math.random,
    log,
    onEvent: (name, details) => void audit.event(name, details),
    ...options,
  })
  let soon: NodeJS.Timeout | undefined
  let hasWebhooks = false
  const look = (): void => {
    soon = undefined
    void courier.look().then((isAny) => (hasWebhooks = isAny))
  }
  const polling = setInterval(look, pollMs)
  polling.unref()
  look()
  const stopListening = audit.onAppended(() => {
    if (hasWebhooks) soon ??= setTimeout(look, batchMs)
  })
  return {
    async close() {
      stopListening()
      clearInterval(polling)
      clearTimeout(soon)
      await courier.close()
    },
  }
}
