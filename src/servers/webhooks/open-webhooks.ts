/** Webhooks of one store, put together: for the daemon that sends, and for the commands that look. */

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
  { keysDir, most }: { readonly keysDir: string; readonly most: number },
): Webhooks {
  const parts = { store, tenant: LOCAL_TENANT, clock: Date.now }
  return {
    book: createWebhookBook({ ...parts, keysDir, randomBytes }),
    queue: createDeliveryQueue({ ...parts, newId: randomUUID, most }),
  }
}

export interface Sending {
  /** Ends what is on its way, and resolves when nothing of it is left. */
  close(): Promise<void>
}

/** Records of other processes, and addresses that were added, are found this much later. */
const pollMs = 1000
/** What happens together is told together. */
const togetherMs = 50

/** Tells the webhooks what happens, until it is closed. Nobody waits for it. */
export function startWebhooks(
  runtime: Pick<Runtime, 'store' | 'paths' | 'audit' | 'log'> & { readonly config: Pick<Config, 'webhooks'> },
  options: Pick<CourierOptions, 'onAttempt'> = {},
): Sending {
  const { store, paths, audit, log } = runtime
  const { max_attempts: maxAttempts, timeout_ms: timeoutMs, queue: most } = runtime.config.webhooks
  const { book, queue } = openWebhooks(store, { keysDir: paths.keys, most })
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
    if (hasWebhooks) soon ??= setTimeout(look, togetherMs)
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
