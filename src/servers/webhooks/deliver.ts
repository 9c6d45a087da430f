/** One delivery attempt, and its outcome. */

import { createHmac } from 'node:crypto'

import type { Clock } from '../../core/ports.ts'
import { FetchProblem } from '../../tools/http/fetch-problem.ts'
import type { Post } from './post.ts'
import type { WebhookTarget } from './webhook-book.ts'

export type DeliveryOutcome =
  | { readonly kind: 'taken'; readonly status: number }
  /** The receiver wants no more events. */
  | { readonly kind: 'gone'; readonly problem: string }
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfter?: string }
  /** Cancelled on shutdown: not counted as an attempt. */
  | { readonly kind: 'cancelled' }

interface Message {
  readonly id: string
  readonly event: string
  readonly body: string
}

export async function deliver(
  message: Message,
  { url, secret }: WebhookTarget,
  { post, clock, signal }: { post: Post; clock: Clock; signal?: AbortSignal },
): Promise<DeliveryOutcome> {
  const headers = headersFor(message, secret, clock())
  try {
    const { status, retryAfter } = await post(url, { headers, body: message.body }, signal)
    if (status >= 200 && status < 300) return { kind: 'taken', status }
    if (status === 410) return { kind: 'gone', problem: 'it answered 410: gone' }
    const redirected = status >= 300 && status < 400 ? '; redirects are not followed' : ''
    const problem = `it answered ${status}${redirected}`
    const waits = (status === 429 || status === 503) && retryAfter !== undefined
    return { kind: 'failed', problem, ...(waits && { retryAfter }) }
  } catch (error) {
    if (signal?.aborted === true) return { kind: 'cancelled' }
    return { kind: 'failed', problem: error instanceof FetchProblem ? error.message : 'it could not be sent' }
  }
}

/** With the secret, receivers can verify that the body is ours and is not a replay. */
export function headersFor(
  { id, event, body }: Message,
  secret: string,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  return {
    'content-type': 'application/json',
    'contextd-event': event,
    'contextd-delivery': id,
    'contextd-timestamp': timestamp,
    'contextd-signature': `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
  }
}
